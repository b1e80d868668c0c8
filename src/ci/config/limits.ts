/** How much a CI file may ask for. One table: whoever meets a limit reads it here, and its message says the number. */
export const limits = {
  /** Bytes of one file, included ones each by themselves. */
  fileBytes: 1024 * 1024,
  /** Characters up to which a file is read at once; a longer one is read in a thread, so that nobody waits for it. */
  readAtOnce: 192 * 1024,
  /** Milliseconds until a long file is given up. */
  readTime: 10_000,
  /** Characters and nodes of everything merged, with what anchors, `extends` and `!reference` repeat counted each time. */
  mergedSize: 4 * 1024 * 1024,
  /** Maps and lists inside one another. */
  depth: 100,
  /** Files that a pipeline is made of besides the first, however they are nested (public documentation of `include` at 14.0). */
  includes: 100,
  /** Jobs that stand on one another by `extends`. */
  extendsDepth: 11,
  /** `!reference` tags that lead to one another. */
  referenceDepth: 10,
  /** Lists inside one another in scripts. */
  scriptDepth: 10,
  /** Of one pipeline, after `parallel` has spread them. */
  jobs: 5_000,
  /** Of one job. */
  needs: 50,
  /** Of one job, in other projects' pipelines. */
  otherNeeds: 5,
  /** Copies of one job (public documentation of `parallel` at 14.0). */
  parallel: 50,
  /** Of one job. */
  caches: 4,
  /** Rules of one job. */
  rules: 200,
  /** Patterns in one `changes` or `exists`. */
  patterns: 50,
  /** Of patterns with paths, for one pipeline. */
  comparisons: 2_000_000,
  /** Characters of a pattern of paths. */
  pattern: 1_000,
  /** What a pattern with `{a,b}` may become. */
  alternatives: 1_000,
  /** Characters of a name: of a job, a stage, an environment. */
  name: 255,
  /** Seconds that a job may run, by its `timeout`: a month. */
  timeout: 30 * 24 * 60 * 60,
  /** Seconds that a delayed job may wait: a week. */
  startIn: 7 * 24 * 60 * 60,
  /** Milliseconds until a remote file is given up. */
  remoteTimeout: 10_000,
  /** Milliseconds for all remote files of a pipeline. */
  remoteTotal: 30_000,
} as const
