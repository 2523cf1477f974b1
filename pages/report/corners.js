// The plots of octavo evaluate corners: a number of each setting in each picture, and precision against recall. Pictures
// have no order, so they are bars. A number of nothing has no bar.

const of_pictures = (value_of, y, unit) => () => ({
  x: { names: data.settings[0].pictures.map(({ image }) => image) },
  y,
  unit,
  bars: true,
  series: data.settings.map(({ name, pictures }) => ({
    label: name,
    points: pictures.map((one, i) => ({ x: i, y: value_of(one) })).filter(({ y: value }) => value !== null),
  })),
});

const plots = {
  precision: of_pictures((one) => percent(one.precision), { label: "precision [%]", top: 100 }, "%"),
  recall: of_pictures((one) => percent(one.recall), { label: "recall [%]", top: 100 }, "%"),
  localisation_error: of_pictures((one) => one.localisation_error, { label: "localisation error [px]" }, "px"),
  precision_recall: () => ({
    x: { label: "recall [%]", top: 100 },
    y: { label: "precision [%]", top: 100 },
    unit: "%",
    series: data.settings.map(({ name, pictures }) => ({
      label: name,
      marks: true,
      points: pictures
        .filter(({ precision, recall }) => precision !== null && recall !== null)
        .map(({ precision, recall }) => ({ x: 100 * recall, y: 100 * precision })),
    })),
  }),
};
