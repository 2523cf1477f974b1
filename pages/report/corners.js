// The plots of octavo evaluate corners: a number of each configuration in each image, and precision against recall. Images
// have no order, so they are bars. A number of nothing has no bar.

const of_images = (value_of, y, unit) => () => ({
  x: { names: data.configurations[0].images.map(({ image }) => image) },
  y,
  unit,
  bars: true,
  series: data.configurations.map(({ name, images }) => ({
    label: name,
    points: images.map((one, i) => ({ x: i, y: value_of(one) })).filter(({ y: value }) => value !== null),
  })),
});

const plots = {
  precision: of_images((one) => percent(one.precision), { label: "precision [%]", top: 100 }, "%"),
  recall: of_images((one) => percent(one.recall), { label: "recall [%]", top: 100 }, "%"),
  localisation_error: of_images((one) => one.localisation_error, { label: "localisation error [px]" }, "px"),
  precision_recall: () => ({
    x: { label: "recall [%]", top: 100 },
    y: { label: "precision [%]", top: 100 },
    unit: "%",
    series: data.configurations.map(({ name, images }) => ({
      label: name,
      marks: true,
      points: images
        .filter(({ precision, recall }) => precision !== null && recall !== null)
        .map(({ precision, recall }) => ({ x: 100 * recall, y: 100 * precision })),
    })),
  }),
};
