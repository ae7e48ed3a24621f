// Shows the values of a chart's columns: on hover, and with the arrow keys. The table beside the chart has them, too.

for (const [index, chart] of document.querySelectorAll('[data-chart]').entries()) {
  const box = chart.querySelector('.chart-box');
  const columns = [...chart.querySelectorAll('.chart-column')];
  const output = chart.querySelector('[data-chart-values]');
  let current = -1;
  output.parentElement.hidden = false;
  output.id = `chart-values-${index}`;
  box.setAttribute('aria-describedby', output.id);
  // Screen readers keep the arrow keys for themselves, except in an application.
  box.setAttribute('role', 'application');

  const show = (place) => {
    columns[current]?.classList.remove('chart-column--current');
    current = Math.min(Math.max(place, 0), columns.length - 1);
    columns[current].classList.add('chart-column--current');
    output.textContent = columns[current].querySelector('title').textContent;
  };
  for (const [place, column] of columns.entries()) column.addEventListener('pointerenter', () => show(place));
  box.addEventListener('keydown', (event) => {
    const places = {
      ArrowRight: current + 1,
      ArrowLeft: current < 0 ? columns.length - 1 : current - 1,
      Home: 0,
      End: columns.length - 1,
    };
    if (!Object.hasOwn(places, event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(places[event.key]);
    columns[current].scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}
