export interface NamedCount {
  name: string;
  count: number;
}

/** Submissions of a calendar month. Those without a topic are in `byStatus` only. */
export interface MonthlyCounts {
  month: string;
  byStatus: ReadonlyMap<string, number>;
  byTopic: ReadonlyMap<string, number>;
}

/** Statistics of the published data of one municipality. */
export interface PublishedStatistics {
  submissions: number;
  /** Calendar months (`YYYY-MM`) with submissions, latest first. Of more than 2,400, the first includes all submissions before it. */
  months: MonthlyCounts[];
  /** Most frequent first. */
  statuses: NamedCount[];
  /** At most ten documents of submissions with support, most supported first, with the extension fields. Always of the present data. */
  mostSupported: string[];
  sessions: number;
  /** Most frequent first, at most a hundred. */
  committees: NamedCount[];
}

export interface ReadStatistics {
  statistics: PublishedStatistics;
  /** Unix milliseconds. */
  computedAtMs: number;
  /** The data has not changed since. Otherwise, new statistics are being counted. */
  isCurrent: boolean;
}

export interface StatisticsStore {
  /**
   * Counts in short steps, so that other requests are not delayed. Keeps the result until the data changes. A large
   * municipality is counted in the background: meanwhile, the result is the previous one.
   *
   * @param timeZone IANA name. Months begin at midnight in this time zone.
   * @param sourceId only the records that this source was the last to write; undefined: all
   * @returns undefined while the first statistics of a large municipality are counted, or the first after a decision about a
   * record: earlier ones may name its topic
   */
  readStatistics(
    organizationId: string,
    timeZone: string,
    sourceId?: number,
  ): Promise<ReadStatistics | undefined>;
}
