/** Free space of the disks that the server and its commands write to. */
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { MetricSnapshot } from '../../../platform/metrics/metric-snapshot.ts';

/** @param folders by their content. A disk without a size, such as a virtual one, is left out */
export async function readDiskMetrics(folders: Readonly<Record<string, string>>): Promise<MetricSnapshot> {
  const disks = await Promise.all(
    Object.entries(folders).map(async ([content, folder]) => {
      const { bavail, bsize, blocks } = await statfs(await findExistingFolder(resolve(folder)));
      return { labels: [content], freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
    }),
  );
  const known = disks.filter(({ sizeBytes }) => sizeBytes > 0);
  return {
    rostra_disk_free_bytes: known.map(({ labels, freeBytes: value }) => ({ labels, value })),
    rostra_disk_size_bytes: known.map(({ labels, sizeBytes: value }) => ({ labels, value })),
  };
}

/** A missing folder stands for the folder that will contain it. */
export async function findExistingFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  const parent = dirname(path);
  return parent === path ? path : findExistingFolder(parent);
}
