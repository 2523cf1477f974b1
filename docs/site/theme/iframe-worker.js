// Browsers start no worker from a file. In pages that are opened as files the worker of the search runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.hidden = true;
      this.frame = frame;
      window.addEventListener("message", (event) => {
        if (event.source !== frame.contentWindow) return;
        this.dispatchEvent(new MessageEvent("message", { data: event.data }));
        this.onmessage?.(event);
      });
      const page = frame.contentDocument;
      page.open();
      page.write("<body><script>postMessage = (data) => parent.postMessage(data, '*');");
      page.write("importScripts = (...urls) => Promise.all(urls.map((url) => new Promise((loaded) => {");
      page.write("const script = document.body.appendChild(document.createElement('script'));");
      page.write("script.onload = loaded; script.src = url; })));</script></body>");
      page.close();
      const script = page.createElement("script");
      this.ready = new Promise((loaded) => {
        script.onload = loaded;
      });
      script.src = url;
      page.body.appendChild(script);
    }

    postMessage(data) {
      this.ready.then(() => {
        this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
      });
    }

    terminate() {
      this.frame.remove();
    }
  };
}
