/** Downloads what is at the address of a source: a file, or the records that a system returns in pages. */

import type { Reason } from '../../domain/reasons/reason.ts';
import type { SourceValidators } from '../../domain/sources/import-source.ts';
import type { FormatOptions } from '../format-options.ts';
import { findPreset } from '../presets/presets.ts';
import type { ImportObserver } from '../records/import-observer.ts';
import type { RunSettings } from '../run-settings.ts';
import { type Download, type DownloadOptions, downloadFile } from './download-file.ts';
import { createSourceClient } from './http-client.ts';
import { planChangedSince } from './live-source/changed-since.ts';
import { downloadRecords } from './live-source/download-records.ts';
import { createPortalCredential, explainDenial } from './portal-credential.ts';

interface SourceDownloadOptions extends Omit<DownloadOptions, 'maxBytes' | 'timeoutMs'> {
  settings: Pick<RunSettings, 'maxDownload' | 'downloadTimeout'>;
  observer: ImportObserver;
  /** Of the portal; undefined: the source has none. */
  key: string | undefined;
  /** Of the run. */
  startedAt: string;
}

/** As options of the import: the downloaded records of a portal are one list, unlike those of its answers. */
export const locateDownloadedRecords = (formatOptions: FormatOptions): FormatOptions =>
  findPreset(formatOptions) === undefined ? formatOptions : { ...formatOptions, records: '[]' };

/** @throws as `downloadFile` and `downloadRecords` */
export async function downloadSource(
  url: URL,
  formatOptions: FormatOptions,
  { settings, observer, key, startedAt, ...options }: SourceDownloadOptions,
): Promise<Download> {
  const { maxDownload: maxBytes, downloadTimeout: timeoutMs } = settings;
  const preset = findPreset(formatOptions);
  if (preset === undefined) return downloadFile(url, { ...options, maxBytes, timeoutMs });
  const isOneAnswer = preset.paging.by === 'none';
  const client = createSourceClient(url, formatOptions, {
    ...options,
    settings,
    isOneAnswer,
    defaultPauseMs: preset.pauseMs,
    credential: createPortalCredential(preset, key, url.origin),
  });
  const download = async (validators: SourceValidators) => {
    const changedSince = planChangedSince(preset, formatOptions, validators, startedAt);
    const notes: Reason[] = [];
    const noting = { ...observer, onNote: (note: Reason) => void notes.push(note) };
    const result = await downloadRecords(preset, url, {
      ...options,
      client,
      maxBytes,
      changedSince,
      observer: noting,
    });
    return { result, notes };
  };
  try {
    let kept = await download(options.validators);
    if (kept.result.file !== undefined && kept.result.lacksColumn) {
      await kept.result.remove();
      kept = await download({});
    }
    for (const note of kept.notes) observer.onNote?.(note);
    return kept.result;
  } catch (error) {
    throw explainDenial(error, preset, url, key);
  }
}
