/**
 * The git subcommands that Ingot may start, and their limits. Anything not in this table does not compile as an
 * argument of `runGit`.
 */

export interface Subcommand {
  /** `write` commands change the repository: when they fail nothing is concluded about what it holds. */
  readonly access: 'read' | 'write'
  /** Milliseconds until the process is stopped. */
  readonly timeoutMs: number
  /** Most bytes that `runGit` keeps of standard output (streams are not limited). */
  readonly maxOutputBytes: number
  /** False where git 2.39 does not understand `--end-of-options`: values there must be object ids, or our own literals. */
  readonly endOfOptions: boolean
  /** Added to the priority value of the process and of those it starts: a higher one gives way to the server. 0 to 19. */
  readonly niceness: number
  /** Megabytes of memory that the process may map, where others made its input to their taste. Default: any number. */
  readonly memory?: number
  /** Megabytes of memory that the process may fill before it is ended, where others made its input to their taste. Default: any number. */
  readonly resident?: number
}

const second = 1000
const minute = 60 * second
const megabyte = 1024 * 1024

const quickRead = { access: 'read', timeoutMs: 30 * second, maxOutputBytes: 64 * megabyte, endOfOptions: true, niceness: 0 } as const
const quickWrite = { access: 'write', timeoutMs: 30 * second, maxOutputBytes: megabyte, endOfOptions: true, niceness: 0 } as const
/** How much what packs and unpacks history gives way to the server, which answers everybody. */
const GIVING_WAY = 5

const transfer = { access: 'read', timeoutMs: 60 * minute, maxOutputBytes: megabyte, endOfOptions: true, niceness: GIVING_WAY } as const
const upkeep = { access: 'write', timeoutMs: 60 * minute, maxOutputBytes: megabyte, endOfOptions: true, niceness: GIVING_WAY } as const

/**
 * What compares and formats what others have pushed. A line of a file takes git some 110 bytes, so twenty megabytes of empty lines take two gigabytes,
 * and a format of `export-subst` any number. Two files of 60 MB with lines of source code take less than this.
 */
const comparing = { ...quickRead, resident: 512 } as const
const archiving = { ...transfer, resident: 512 } as const

/** What works on patches that came by mail: quick, and within bounds. */
const onPatches = { ...quickWrite, niceness: GIVING_WAY, endOfOptions: false, memory: 1024 } as const

export const subcommands = {
  apply: onPatches,
  archive: archiving,
  blame: { ...comparing, endOfOptions: false },
  bundle: transfer,
  // Reads of pages and answers come from these.
  'cat-file': { ...transfer, niceness: 0 },
  'commit-graph': upkeep,
  // Of settings in a blob, never those of the machine.
  config: { ...quickRead, endOfOptions: false },
  'diff-tree': comparing,
  fetch: upkeep,
  'for-each-ref': quickRead,
  // Its exit code says what it found.
  fsck: { ...transfer, endOfOptions: false },
  'format-patch': archiving,
  'index-pack': upkeep,
  // It takes patterns for options of its own after `--end-of-options`; the values are object ids.
  grep: { ...comparing, endOfOptions: false },
  init: quickWrite,
  log: comparing,
  // Of other servers' repositories: it keeps the list of references in memory, however long the other server makes it.
  'ls-remote': { ...quickRead, endOfOptions: false, memory: 512 },
  mailinfo: onPatches,
  'merge-base': quickRead,
  // It writes the merged trees, but reads both sides: failing means that a side cannot be read.
  'merge-tree': { ...quickRead, resident: 2048 },
  'pack-objects': transfer,
  'pack-refs': upkeep,
  prune: upkeep,
  // To other servers' repositories: nothing here changes.
  push: { ...transfer, access: 'write' },
  'receive-pack': { ...transfer, access: 'write' },
  repack: upkeep,
  // Into an index of its own.
  'read-tree': { ...quickWrite, endOfOptions: false },
  'rev-list': quickRead,
  'symbolic-ref': quickWrite,
  'unpack-objects': upkeep,
  'update-ref': quickWrite,
  'upload-archive': { ...archiving, endOfOptions: false },
  'upload-pack': transfer,
  'write-tree': quickWrite,
} as const satisfies Record<string, Subcommand>

export type SubcommandName = keyof typeof subcommands
