/** The form fields of the settings of a source. */

import {
  defaultMaxDeletedPercent,
  maxSourceNameLength,
  redactionKinds,
} from '../../../../../domain/sources/import-source.ts';
import type { SuggestedMapping } from '../../../../../domain/sources/suggested-mapping.ts';
import {
  type FormatOption,
  getDefault,
  getOptionKind,
  getRange,
  listChoices,
  type surveyOptions,
} from '../../../../../ingest/format-options.ts';
import { findFormat } from '../../../../../ingest/formats/format-registry.ts';
import { describeApiValue, field, paragraph, select } from '../../../../ui/components.ts';
import { folded, settingSummary } from '../../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../../ui/html.ts';
import { checkbox, checkboxGroup } from '../../../forms/checkbox.ts';
import { fieldGroup } from '../../../forms/field-group.ts';
import { fileField } from '../../../forms/file-field.ts';
import { radioGroup } from '../../../forms/radio-group.ts';
import {
  addChosen,
  describeTimeZone,
  listCountries,
  listTimeZones,
} from '../../../forms/regional-choices.ts';
import { textArea } from '../../../forms/text-area.ts';
import type { TenantContext } from '../../../requests/page-context.ts';
import { licenseFields } from '../../license-choice.ts';
import { renderField } from '../../organization-settings.ts';
import { mappingFields } from './mapping-fields.ts';
import { listFormOptions, type Settings } from './settings-values.ts';

interface SettingsFormState {
  settings: Settings;
  suggestion: SuggestedMapping | undefined;
  /** The name of a stored source cannot be changed. */
  isNewSource: boolean;
  hasAddress: boolean;
  entered: URLSearchParams | undefined;
  errors: Readonly<Record<string, string>>;
}

export async function settingsFields(context: TenantContext, state: SettingsFormState): Promise<SafeHtml> {
  const { settings, isNewSource, hasAddress, errors } = state;
  const { text } = context;
  const words = text.importSettings;
  return html`${
    isNewSource
      ? field({
          name: 'name',
          label: words.sourceName,
          hint: words.sourceNameHint,
          value: settings.name,
          error: errors.name,
          autocomplete: 'off',
          attributes: html` maxlength="${maxSourceNameLength}"`,
        })
      : ''
  }
${settings.format === 'table' ? tableMapping(context, state) : optionFields(context, settings, errors)}
${hasAddress ? scheduleField(context, settings) : ''}
${paragraph(words.personalData.namesNotDetected)}
<div class="folded-settings">
${await personalDataFields(context, settings, errors)}
${locationField(context, settings)}
${await moreFields(context, settings, errors, licenseField(context, state))}
</div>`;
}

function tableMapping(context: TenantContext, state: SettingsFormState): SafeHtml {
  const { settings, suggestion, errors, entered } = state;
  const words = context.text.importSettings.mapping;
  if (settings.mapping !== undefined && suggestion !== undefined)
    return mappingFields(context, {
      suggestion,
      mapping: settings.mapping,
      publishesLocations: settings.hasLocations && context.organization.locationDecimals !== null,
      entered,
      errors,
    });
  const area = textArea({
    name: 'mapping',
    label: words.text,
    hint: words.textHint,
    error: errors.mapping,
    value: settings.options.mapping ?? '',
    rows: 24,
  });
  return fieldGroup(words.title, area);
}

function optionFields(
  context: TenantContext,
  { format, options }: Settings,
  errors: Readonly<Record<string, string>>,
): SafeHtml {
  const names = Object.keys(listFormOptions(format));
  const fields = (shown: readonly string[]) => listOptionFields(context, { format, options }, errors, shown);
  const { options: title, moreOptions } = context.text.importSettings;
  const shown = names.filter((name) => surveyOptionsToCheck.includes(name));
  if (names.length === 0 || shown.length === 0)
    return names.length === 0 ? html`` : fieldGroup(title, fields(names));
  const others = names.filter((name) => !shown.includes(name));
  const isWrong = others.some((name) => `option.${name}` in errors || `option.${name}.file` in errors);
  const content = html`<div class="folded-fields">${fields(others)}</div>`;
  return fieldGroup(title, html`${fields(surveyOptionsToCheck)}${folded(moreOptions, content, isWrong)}`);
}

/** In this order, before those of exceptional surveys. */
const surveyOptionsToCheck: readonly string[] = [
  'title',
  'ended',
  'status',
] satisfies (keyof typeof surveyOptions)[];

/** The licence of the source's data. */
function licenseField(
  context: TenantContext,
  { settings: { options }, entered = new URLSearchParams(), errors }: SettingsFormState,
): SafeHtml {
  const { hint, none } = context.text.importSettings.license;
  const { licenseName = '', licenseUrl = '' } = options;
  const license = { licenseName, licenseUrl };
  const ownFields = (['licenseName', 'licenseUrl'] as const).map((name) =>
    renderField(context, name, license[name], errors[name], undefined),
  );
  return licenseFields(context, entered, license, errors, ownFields, { hint, none });
}

const listOptionFields = (
  context: TenantContext,
  { format, options }: Pick<Settings, 'format' | 'options'>,
  errors: Readonly<Record<string, string>>,
  names: readonly string[] = Object.keys(listFormOptions(format)),
): SafeHtml[] =>
  names.flatMap((name) => {
    const option = listFormOptions(format)[name];
    return option === undefined ? [] : [optionField(context, name, option, options[name] ?? '', errors)];
  });

function optionField(
  context: TenantContext,
  name: string,
  option: FormatOption,
  value: string,
  errors: Readonly<Record<string, string>>,
): SafeHtml {
  const { text } = context;
  const { label = name, hint: words = '' } = text.importSettings.option[name] ?? {};
  const fallback = getDefault(option);
  const hint = typeof words === 'string' ? words : words({ ...getRange(option), fallback });
  const kind = getOptionKind(option);
  const fieldName = `option.${name}`;
  const error = errors[fieldName];
  if (kind === 'switch')
    return checkbox({ name: fieldName, value: 'true', label, hint, isChecked: value === 'true' });
  if (kind === 'choice') {
    const choices = [
      {
        value: '',
        text: text.importSettings.optionDefault(
          fallback === undefined ? '' : describeApiValue(String(fallback), context),
        ),
      },
      ...listChoices(option).map((one) => ({ value: one, text: describeApiValue(one, context) })),
    ];
    return select(fieldName, label, choices, value, error, hint);
  }
  const optional = text.form.optional;
  if (kind === 'file') {
    const { paste, show, content, contentHint } = text.importSettings.textFile;
    const area = { name: fieldName, label: content(label), hint: contentHint, error, value, rows: 6 };
    const summary = value === '' ? paste : show(context.format.number(value.length));
    return html`${fileField({ name: `${fieldName}.file`, label, hint, error: errors[`${fieldName}.file`], optional })}
${folded(summary, textArea(area), error !== undefined)}`;
  }
  return field({
    name: fieldName,
    label,
    hint,
    error,
    value,
    optional,
    autocomplete: 'off',
    ...(kind === 'number' && { attributes: html` inputmode="numeric"` }),
  });
}

async function personalDataFields(
  context: TenantContext,
  { redaction, country }: Settings,
  errors: Readonly<Record<string, string>>,
): Promise<SafeHtml> {
  const words = context.text.importSettings.personalData;
  const kinds = redactionKinds.map((kind) =>
    checkbox({
      name: 'redaction',
      id: `redaction-${kind}`,
      value: kind,
      label: words.kinds[kind]?.label ?? kind,
      hint: words.kinds[kind]?.hint ?? '',
      isChecked: redaction.includes(kind),
    }),
  );
  const replaced = redactionKinds
    .filter((kind) => redaction.includes(kind))
    .map((kind) => words.kinds[kind]?.label ?? kind);
  const content = html`<div class="folded-fields">${[
    paragraph(words.intro),
    checkboxGroup(words.legend, kinds),
    select(
      'country',
      words.country,
      addChosen(
        [{ value: '', text: words.countryOfMunicipality }, ...(await listCountries(context))],
        country,
      ),
      country,
      errors.country,
      words.countryHint,
    ),
  ]}</div>`;
  const summary = settingSummary(
    words.title,
    replaced.length === 0 ? words.replacesNothing : words.replaces(replaced.join(', ')),
  );
  return folded(summary, content, errors.country !== undefined);
}

function locationField(
  { text, organization: { locationDecimals: decimals } }: TenantContext,
  { format, hasLocations }: Settings,
): SafeHtml | string {
  if (findFormat(format).hasLocations !== true) return '';
  const { title, label, hint, off, published, notPublished } = text.importSettings.locations;
  const content = checkbox({
    name: 'locations',
    label,
    hint: `${hint} ${decimals === null ? off : text.locations.precisions[decimals === 3 ? 3 : 4].text}`,
    isChecked: hasLocations,
  });
  return folded(settingSummary(title, hasLocations ? published : notPublished), content);
}

function scheduleField({ text, format }: TenantContext, { interval }: Settings): SafeHtml {
  const { label, hint, never, intervals, other } = text.importSettings.schedule;
  const known = Object.entries(intervals).map(([value, name]) => ({ value, text: name }));
  const own =
    interval === '' || Object.hasOwn(intervals, interval)
      ? []
      : [{ value: interval, text: other(format.duration(Number(interval))) }];
  return select('interval', label, [{ value: '', text: never }, ...known, ...own], interval, undefined, hint);
}

async function moreFields(
  context: TenantContext,
  { format, options, timeZone, isRemovingMissing, maxDeleted }: Settings,
  errors: Readonly<Record<string, string>>,
  license: SafeHtml,
): Promise<SafeHtml> {
  const words = context.text.importSettings;
  const ofMunicipality = await describeTimeZone(context.organization.timeZone, context);
  const zones = [
    { value: '', text: words.timeZoneOfMunicipality(ofMunicipality) },
    ...(await listTimeZones(context)),
  ];
  const zone = select(
    'timeZone',
    words.timeZone,
    addChosen(zones, timeZone),
    timeZone,
    errors.timeZone,
    words.timeZoneHint,
  );
  const { legend, keep, remove, limit, limitHint } = words.deletion;
  const deletion = findFormat(format).isPartialInput
    ? ''
    : html`${radioGroup(
        'missing',
        legend,
        [
          { value: 'keep', ...keep },
          { value: 'remove', ...remove },
        ],
        isRemovingMissing ? 'remove' : 'keep',
      )}
${field({ name: 'maxDeleted', label: limit, hint: limitHint(defaultMaxDeletedPercent), value: maxDeleted, error: errors.maxDeleted, autocomplete: 'off', attributes: html` inputmode="numeric" maxlength="3"` })}`;
  // The mapping says more about a table than its options.
  const optionsOfTable = format === 'table' ? listOptionFields(context, { format, options }, errors) : '';
  const content = html`<div class="folded-fields">${deletion}${zone}${license}${optionsOfTable}</div>`;
  const chosenZone = timeZone === '' ? ofMunicipality : await describeTimeZone(timeZone, context);
  const ownLicense = options.licenseName ?? options.licenseUrl;
  const summary = settingSummary(
    words.more,
    [
      deletion !== '' && `${legend}: ${(isRemovingMissing ? remove : keep).text}`,
      `${words.timeZone}: ${chosenZone}`,
      ownLicense !== undefined && `${context.text.openData.license}: ${ownLicense}`,
    ]
      .filter(Boolean)
      .join(' · '),
  );
  const isOpen = ['timeZone', 'maxDeleted', 'licenseName', 'licenseUrl'].some((name) => name in errors);
  return folded(summary, content, isOpen);
}
