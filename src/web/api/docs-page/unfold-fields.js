// Unfolds the fields of a schema where a field has it. Without scripts, a link leads to the schema.

const prefix = '#schema-';

/** The list of fields of a schema; undefined for a schema that is no object. */
const findFields = (link) =>
  document.getElementById(link.hash.slice(1))?.closest('.schema')?.querySelector('.fields');

/** Also of the rows of an unfolded list, so every level can be unfolded. */
function addFolds(list) {
  for (const row of list.querySelectorAll(':scope > .fields__row')) {
    for (const link of row.querySelectorAll(`.fields__type a[href^="${prefix}"]`)) {
      const fields = findFields(link);
      if (fields === undefined || fields === null) continue;
      const fold = document.createElement('details');
      fold.className = 'fold unfolded';
      const summary = document.createElement('summary');
      summary.textContent = `Fields of ${link.textContent}`;
      fold.append(summary);
      fold.addEventListener('toggle', () => {
        if (fold.childElementCount > 1) return;
        const copy = fields.cloneNode(true);
        for (const nested of copy.querySelectorAll('.unfolded')) nested.remove();
        addFolds(copy);
        fold.append(copy);
      });
      row.querySelector('dd').append(fold);
    }
  }
}

for (const list of document.querySelectorAll('.fields')) addFolds(list);
