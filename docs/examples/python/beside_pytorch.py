"""Features of a tensor on a GPU, left there. Usage: beside_pytorch.py (needs PyTorch and a GPU with CUDA)"""

import torch

import octavo

images = torch.rand(8, 3, 480, 640, device="cuda")
images = torch.nn.functional.avg_pool2d(images, 5, stride=1, padding=2)  # noise of a coarser grain
images = images.permute(0, 2, 3, 1).contiguous()  # height x width x channels

extractor = octavo.Extractor(device="cuda:0")
tickets = [extractor.submit(image, keep="device") for image in images]
features = [extractor.collect_on_device(ticket) for ticket in tickets]

descriptors = torch.from_dlpack(features[0].descriptors)  # N x 128 in uint8, without a copy
keypoints = torch.from_dlpack(features[0].keypoint_rows)  # N x 11 in float32: x, y, scale, orientation, response ...
print(descriptors.shape, descriptors.device, keypoints[:, 0:2].mean(dim=0))

matches = octavo.match(features[0], features[1], device="cuda:0")  # on the GPU, too
print(len(matches), "matches")
assert features[0].download() == extractor.extract(images[0].cpu().numpy())  # the same bytes as from host memory
