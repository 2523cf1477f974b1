// The view of space: points and frusta of cameras by WebGL, names on a canvas above it. The eye orbits a target.

const point_shader = `
attribute vec3 place; attribute vec3 colour; uniform mat4 clip_from_world; uniform float size; varying vec3 shade;
void main() { gl_Position = clip_from_world * vec4(place, 1.0); gl_PointSize = size; shade = colour; }`;
const shade_shader = "precision mediump float; varying vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }";

class SpaceView {
  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
    [this.canvas, this.overlay] = place.querySelectorAll("canvas");
    this.gl = this.canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
    if (!this.gl) {
      place.append(element("p", { textContent: "This browser has no WebGL, which draws the model." }));
      return;
    }
    this.program = this.make_program();
    this.tools = Object.fromEntries([...place.querySelectorAll(".tools [name]")].map((tool) => [tool.name, tool]));
    for (const tool of Object.values(this.tools)) tool.oninput = () => this.update();
    this.tools.home.onclick = () => this.frame();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(place);
  }

  make_program() {
    const { gl } = this,
      program = gl.createProgram();
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, point_shader],
      [gl.FRAGMENT_SHADER, shade_shader],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    gl.clearColor(0.07, 0.082, 0.1, 1);
    return program;
  }

  buffer_of(values) {
    const { gl } = this,
      buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    return buffer;
  }

  show(space) {
    if (!this.gl) return;
    for (const buffer of Object.values(this.buffers ?? {})) this.gl.deleteBuffer(buffer);
    this.space = space;
    this.chosen = -1;
    this.tools.size.value = space.count < 20000 ? 3 : 2;
    this.buffers = { places: this.buffer_of(space.places), colours: this.buffer_of(space.colours) };
    this.frame();
  }

  /// Shows the whole model from above the cameras' side.
  frame() {
    const { middle, radius, up, ahead } = this.space;
    const level = plus(ahead, up, -dot(ahead, up));
    const back = unit(Math.hypot(...level) > 0.2 ? level.map((value) => -value) : cross(up, [up[1], up[2], up[0]]));
    this.right = unit(cross(up, back));
    this.back = turned(back, this.right, -0.5);
    this.up = cross(this.back, this.right);
    this.target = middle;
    this.distance = 3.2 * radius;
    this.fit();
    this.update();
  }

  /// Moves the target to the middle of what is framed, and the eye so near that the window just shows it.
  fit() {
    const { framed } = this.space,
      { clientWidth, clientHeight } = this.place;
    const shorter = Math.min(clientWidth, clientHeight) || 1,
      axes = [this.right, this.up, this.back];
    const seen = () => framed.map((place) => axes.map((axis) => dot(plus(place, this.target, -1), axis)));
    // Half of the window at a distance of 1, less a margin and the tools below.
    const [wide, high] = [clientWidth, clientHeight].map((length) => (0.42 * 0.8 * (length || 1)) / shorter);
    const nearest = () => Math.max(...seen().map(([x, y, z]) => z + Math.max(Math.abs(x) / wide, Math.abs(y) / high)));
    this.distance = Math.max(nearest(), 0.01 * this.space.radius);
    for (let round = 0; round < 4; ++round) {
      const slopes = seen().map(([x, y, z]) => [x, y].map((along) => along / (this.distance - z)));
      const middle = (k) =>
        (Math.max(...slopes.map((slope) => slope[k])) + Math.min(...slopes.map((slope) => slope[k]))) / 2;
      this.target = plus(plus(this.target, this.right, middle(0) * this.distance), this.up, middle(1) * this.distance);
      this.distance = Math.max(nearest(), 0.01 * this.space.radius);
    }
  }

  choose_camera(index) {
    this.chosen = index;
    this.update();
  }

  turn(across, down) {
    for (const name of ["right", "up", "back"]) this[name] = turned(this[name], this.space.up, -across);
    for (const name of ["up", "back"]) this[name] = turned(this[name], this.right, -down);
    this.update();
  }

  /// Moves by a part of the window's shorter side.
  move(across, down) {
    const step = 0.85 * this.distance;
    this.target = plus(plus(this.target, this.right, -across * step), this.up, down * step);
    this.update();
  }

  come_nearer(factor) {
    this.distance = Math.min(Math.max(this.distance / factor, 0.01 * this.space.radius), 100 * this.space.radius);
    this.update();
  }

  listen() {
    const { place } = this,
      pointers = new Map();
    const shorter = () => Math.min(place.clientWidth, place.clientHeight);
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    place.oncontextmenu = (event) => event.preventDefault();
    place.addEventListener("pointerdown", (event) => {
      if (event.target.closest(".tools")) return;
      place.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, {
        x: event.clientX,
        y: event.clientY,
        from_x: event.clientX,
        from_y: event.clientY,
      });
    });
    place.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const x = (event.clientX - last.x) / shorter(),
        y = (event.clientY - last.y) / shorter();
      const before = pointers.size === 2 ? spread() : 0;
      Object.assign(last, { x: event.clientX, y: event.clientY });
      if (pointers.size === 2) {
        this.come_nearer(spread() / Math.max(before, 1));
        this.move(x / 2, y / 2);
      } else if (event.buttons === 2 || event.shiftKey) {
        this.move(x, y);
      } else {
        this.turn(4 * x, 4 * y);
      }
    });
    const leave = (event) => {
      const last = pointers.get(event.pointerId);
      pointers.delete(event.pointerId);
      if (
        event.type !== "pointerup" ||
        !last ||
        Math.hypot(event.clientX - last.from_x, event.clientY - last.from_y) > 4
      )
        return;
      const index = this.camera_at(event.clientX, event.clientY);
      this.choose_camera(index);
      if (index >= 0) this.choose(this.space.cameras[index].image);
    };
    place.addEventListener("pointerup", leave);
    place.addEventListener("pointercancel", leave);
    place.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.come_nearer(1.0015 ** -event.deltaY);
      },
      { passive: false },
    );
    const keys = {
      ArrowLeft: () => this.turn(-0.1, 0),
      ArrowRight: () => this.turn(0.1, 0),
      ArrowUp: () => this.turn(0, -0.1),
      ArrowDown: () => this.turn(0, 0.1),
      "+": () => this.come_nearer(1.15),
      "-": () => this.come_nearer(1 / 1.15),
    };
    place.addEventListener("keydown", (event) => {
      if (event.target !== place || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
  }

  /// The size of frusta: that of a typical model, changed by the reader.
  frustum_size() {
    return (
      (0.09 * this.space.radius * 2 ** Number(this.tools.frusta.value)) /
      Math.max(1, Math.log10(this.space.cameras.length))
    );
  }

  /// Ends of lines: the four edges from the centre, the image's frame, and a mark above it.
  lines() {
    const size = this.frustum_size(),
      places = [],
      colours = [];
    this.space.cameras.forEach(({ centre, axes, width, height }, index) => {
      const corner = (x, y) =>
        plus(plus(plus(centre, axes[2], size), axes[0], (x * width * size) / 2), axes[1], (y * height * size) / 2);
      const [a, b, c, d] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      const ends = [
        centre,
        a,
        centre,
        b,
        centre,
        c,
        centre,
        d,
        a,
        b,
        b,
        c,
        c,
        d,
        d,
        a,
        corner(-0.3, -1),
        corner(0, -1.4),
        corner(0, -1.4),
        corner(0.3, -1),
      ];
      const colour = index === this.chosen ? [255, 220, 90] : [240, 128, 60];
      for (const end of ends) {
        places.push(...end);
        colours.push(...colour);
      }
    });
    return { places, colours };
  }

  draw_lines({ places, colours }) {
    const made = [this.buffer_of(new Float32Array(places)), this.buffer_of(new Uint8Array(colours))];
    this.draw_list(this.gl.LINES, ...made, places.length / 3);
    made.forEach((buffer) => this.gl.deleteBuffer(buffer));
  }

  update() {
    if (!this.space) return;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw_list(mode, places, colours, count) {
    const { gl, program } = this;
    const attribute = (name, buffer, type, normalised) => {
      const at = gl.getAttribLocation(program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 3, type, normalised, 0, 0);
    };
    attribute("place", places, gl.FLOAT, false);
    attribute("colour", colours, gl.UNSIGNED_BYTE, true);
    gl.drawArrays(mode, 0, count);
  }

  draw() {
    if (!this.space || !this.gl) return;
    const { gl, canvas, overlay, place } = this,
      scale = window.devicePixelRatio || 1;
    const [width, height] = [place.clientWidth * scale, place.clientHeight * scale].map(Math.round);
    for (const one of [canvas, overlay]) {
      if (one.width !== width || one.height !== height) Object.assign(one, { width, height });
    }
    const eye = plus(this.target, this.back, this.distance);
    const far = this.distance + 60 * this.space.radius;
    this.clip_from_world = times(
      perspective(width / height, this.distance / 200, far),
      view_from(eye, this.right, this.up, this.back),
    );
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(gl.getUniformLocation(this.program, "clip_from_world"), false, this.clip_from_world);
    gl.uniform1f(gl.getUniformLocation(this.program, "size"), Number(this.tools.size.value) * scale);
    this.draw_list(gl.POINTS, this.buffers.places, this.buffers.colours, this.space.count);
    if (this.tools.cameras.checked) this.draw_lines(this.lines());
    const { axes } = this.space;
    this.draw_lines({
      places: axes.flatMap(({ end }) => [0, 0, 0, ...end]),
      colours: axes.flatMap(({ colour }) => [...colour, ...colour]),
    });
    this.draw_names(scale);
  }

  /// The place of a point of the model in the window [pixel of the canvas]; null if it is behind the eye.
  in_window(point) {
    const m = this.clip_from_world,
      row = (k) => m[k] * point[0] + m[4 + k] * point[1] + m[8 + k] * point[2] + m[12 + k];
    const w = row(3);
    if (w <= 0) return null;
    return [((row(0) / w + 1) / 2) * this.canvas.width, ((1 - row(1) / w) / 2) * this.canvas.height];
  }

  /// Writes a name beside a place of the window.
  write(name, at, colour, scale) {
    const paper = this.overlay.getContext("2d"),
      beside = [at[0] + 6 * scale, at[1] - 6 * scale];
    paper.fillStyle = colour;
    paper.strokeText(name, ...beside);
    paper.fillText(name, ...beside);
  }

  draw_names(scale) {
    const paper = this.overlay.getContext("2d");
    paper.clearRect(0, 0, this.overlay.width, this.overlay.height);
    paper.font = `${12 * scale}px system-ui, sans-serif`;
    paper.lineWidth = 3 * scale;
    paper.strokeStyle = "#12151a";
    for (const { name, end, colour } of this.space.axes) {
      const at = this.in_window(end);
      if (at) this.write(name, at, `rgb(${colour})`, scale);
    }
    if (!this.tools.cameras.checked) return;
    const taken = [];
    this.space.cameras.forEach((camera, index) => {
      const at = this.in_window(camera.centre);
      if (!at) return;
      const name = camera.image.slice(camera.image.lastIndexOf("/") + 1),
        end = at[0] + paper.measureText(name).width + 8 * scale;
      const is_chosen = index === this.chosen;
      const crowded = taken.some(
        (other) => at[0] < other.end && other.begin < end && Math.abs(other.y - at[1]) < 14 * scale,
      );
      if (!is_chosen && !this.tools.names.checked && crowded) return;
      taken.push({ begin: at[0], end, y: at[1] });
      this.write(name, at, is_chosen ? "#ffdc5a" : "#f6c3a1", scale);
    });
  }

  /// The camera whose centre is nearest to a place of the window, at most 20 pixels away; −1: none.
  camera_at(x, y) {
    const box = this.canvas.getBoundingClientRect(),
      scale = this.canvas.width / box.width;
    let best = -1,
      least = 20;
    this.space.cameras.forEach((camera, index) => {
      const at = this.in_window(camera.centre);
      const distance = at ? Math.hypot(at[0] / scale + box.left - x, at[1] / scale + box.top - y) : Infinity;
      if (distance < least) [best, least] = [index, distance];
    });
    return best;
  }
}
