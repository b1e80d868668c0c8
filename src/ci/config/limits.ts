/** Limits of a CI file, in one table. Every check reads its limit here, and its message says the number. */
export const limits = {
  /** Bytes of one file; included files count separately. */
  fileBytes: 1024 * 1024,
  /** Characters up to which a file is parsed on the main thread. A longer one is parsed in a worker thread: no request waits for it. */
  parseInline: 32 * 1024,
  /** Characters up to which messages say the lines of a file. */
  withLines: 192 * 1024,
  /** Milliseconds until the parse of a long file is aborted. */
  readTime: 10_000,
  /** Characters and nodes of the merged file; what anchors, `extends` and `!reference` repeat counts each time. */
  mergedSize: 4 * 1024 * 1024,
  /** Characters of the merged file as it is shown, with its indentation; about. */
  writtenSize: 8 * 1024 * 1024,
  /** Characters of what stands below one key up to which it is written on the main thread. */
  writtenInline: 64 * 1024,
  /** Nesting of maps and lists. */
  depth: 100,
  /** Included files of a pipeline, at any depth (public documentation of `include` at 14.0). */
  includes: 100,
  /** Length of a chain of `extends`. */
  extendsDepth: 11,
  /** Length of a chain of `!reference` tags. */
  referenceDepth: 10,
  /** Nesting of lists in scripts. */
  scriptDepth: 10,
  /** Jobs of one pipeline, after `parallel` is expanded. */
  jobs: 5_000,
  /** `needs` of one job. */
  needs: 50,
  /** `needs` of one job in pipelines of other projects. */
  otherNeeds: 5,
  /** Copies of one job (public documentation of `parallel` at 14.0). */
  parallel: 50,
  /** Of one job. */
  caches: 4,
  services: 100,
  /** `id_tokens` of one job, and audiences of one of them. */
  idTokens: 20,
  audiences: 20,
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
