/** `ingot backup`, `ingot restore` and `ingot verify`. */
import { readFile } from 'node:fs/promises'
import { SingleBar } from 'cli-progress'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { openLog } from '../../platform/log.ts'
import { Secret } from '../../platform/secret.ts'
import { CommandFailure, exitCodes } from '../cli/failures.ts'
import { configFrom, type SettingOptions } from '../cli/settings.ts'
import { openInstance } from '../setup/instance.ts'
import { writePrivateFile } from '../setup/private_file.ts'
import { openChain, verifyChain } from './archive/chain.ts'
import type { End } from './archive/format.ts'
import { type Listed, listArchives } from './archive/listing.ts'
import { mergeChain } from './archive/merging.ts'
import { type ArchivePlace, archiveAt, placesIn } from './archive/places.ts'
import { backUp, type Progress } from './backup.ts'
import { restore } from './restore.ts'

/** The options of all of them. */
export type BackupCommandOptions = SettingOptions & { readonly passphraseFile?: string }

/** What is known of the last backup that was made from a data directory. */
export interface LastBackup {
  /** The path of the file, or the address of the object, without credentials. */
  readonly file: string
  /** The instant that it shows. */
  readonly created_at: string
  /** Bytes of the archive. */
  readonly size: number
  readonly encrypted: boolean
  /** Could everything be read? */
  readonly complete: boolean
  /** The archive that it builds on, named as `file` is; null for one that stands alone. */
  readonly since: string | null
}

/** Writes an archive, and says what it has. Exit code 1 where something of the instance could not be read. */
export async function runBackup(file: string, options: BackupCommandOptions & { readonly since?: string }): Promise<void> {
  const config = configFrom(options)
  const passphrase = await passphraseOf(config, options)
  const place = await archiveAt(file, config.objectStore)
  const since = options.since === undefined ? undefined : await existingArchive(options.since, config)
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true, existing: true, asItIs: true })
  try {
    const made = await withProgress(onProgress => backUp(instance.deps, { place, passphrase, since, onProgress }))
    const size = (await place.size()) ?? 0
    const isComplete = made.missing_objects.length + made.damaged_repositories.length === 0
    const last: LastBackup = {
      file: place.name,
      created_at: made.created_at,
      size,
      encrypted: passphrase !== undefined,
      complete: isComplete,
      since: since?.name ?? null,
    }
    await writePrivateFile(places(config).lastBackup, `${JSON.stringify(last)}\n`)
    process.stdout.write(
      `${place.name}: ${bytesInWords(size)}, as of ${made.created_at}: ${made.tables} tables, ${made.repositories} repositories, ${made.objects} files\n`,
    )
    if (since) process.stdout.write(`It builds on ${since.name}: keep both, and what that one builds on.\n`)
    if (!passphrase)
      process.stdout.write('It is not encrypted and has the key of the instance: keep it as safe as the server, or give a passphrase.\n')
    sayWhatIsMissing(made)
  } finally {
    await instance.close()
    place.close()
    since?.close()
  }
}

/** An archive that is there. @throws ConfigError */
async function existingArchive(given: string, config: Config): Promise<ArchivePlace> {
  const place = await archiveAt(given, config.objectStore)
  if ((await place.size()) !== undefined) return place
  place.close()
  throw new ConfigError(`there is no ${place.name}`)
}

/** Runs work on archives that are there: the one that is meant, and those that it may build on. */
async function withArchives(
  [file, ...earlier]: readonly [string, ...string[]],
  config: Config,
  work: (place: ArchivePlace, earlier: readonly ArchivePlace[]) => Promise<void>,
): Promise<void> {
  const opened: ArchivePlace[] = []
  try {
    for (const given of [file, ...earlier]) opened.push(await existingArchive(given, config))
    await work(opened[0]!, opened.slice(1))
  } finally {
    for (const place of opened) place.close()
  }
}

/** Restores an archive, and says what it had. @param earlier places of those that it builds on, where they are not beside it */
export async function runRestore(file: string, earlier: readonly string[], options: BackupCommandOptions): Promise<void> {
  const config = configFrom(options)
  const passphrase = await passphraseOf(config, options)
  await withArchives([file, ...earlier], config, async (place, others) => {
    const made = await withProgress(onProgress =>
      restore({ config, log: openLog(config.logLevel), place, passphrase, earlier: others, onProgress }),
    )
    process.stdout.write(
      `Restored into ${config.dataDir}, as of ${made.created_at}: ${made.tables} tables, ${made.repositories} repositories, ${made.objects} files\n`,
    )
    sayWhatIsMissing(made)
  })
}

/** Reads an archive and those that it builds on from end to end, and says what they are. Changes nothing. */
export async function runVerify(file: string, earlier: readonly string[], options: BackupCommandOptions): Promise<void> {
  const config = configFrom(options)
  const passphrase = await passphraseOf(config, options)
  await withArchives([file, ...earlier], config, async (place, others) => {
    const chain = await withProgress(onProgress =>
      openChain(place, passphrase, others, (done, total) => onProgress({ doing: 'opening', done, total })),
    )
    try {
      await withProgress(onProgress => verifyChain(chain, (done, total) => onProgress({ doing: 'verifying', done, total })))
      for (const { link, place: at } of chain.archives)
        process.stdout.write(`${at.name}: ${bytesInWords((await at.size()) ?? 0)}, as of ${link.created_at}\n`)
      const { tables, repositories, objects, links } = chain.contents
      const builds = links.length === 0 ? '' : `, with the ${links.length} before it`
      process.stdout.write(`Whole${builds}: ${tables.size} tables, ${repositories.size} repositories, ${objects.size} files\n`)
    } finally {
      chain.close()
    }
  })
}

const states: Readonly<Record<Listed['state'], string>> = {
  whole: 'whole',
  chained: 'builds on',
  broken: 'INCOMPLETE',
  locked: 'encrypted',
  damaged: 'DAMAGED',
  unfinished: 'unfinished',
}

/** Says what a folder has of archives. Exit code 1 where one of them could not be restored, or not be read. */
export async function runList(folder: string, options: BackupCommandOptions & { readonly json?: true }): Promise<void> {
  const config = configFrom(options)
  const passphrase = await passphraseOf(config, options)
  const found = await placesIn(folder, config.objectStore)
  try {
    const listed = await listArchives(found, passphrase)
    if (options.json) process.stdout.write(`${JSON.stringify(listed)}\n`)
    else if (listed.length === 0) process.stdout.write(`${folder} has no backup\n`)
    const widths = [Math.max(0, ...listed.map(({ name }) => name.length)), 9, 24]
    for (const { name, size, created_at, state, builds_on, fault } of options.json ? [] : listed) {
      const columns = [name, bytesInWords(size).padStart(9), created_at ?? '-'].map((text, index) => text.padEnd(widths[index]!))
      const others = builds_on.length > 1 ? ` and ${builds_on.length - 1} before it` : ''
      const says = state === 'chained' ? `builds on ${builds_on.at(-1)}${others}` : `${states[state]}${fault === null ? '' : `: ${fault}`}`
      process.stdout.write(`${columns.join('  ')}  ${says}\n`)
    }
    if (listed.some(({ state }) => ['broken', 'locked', 'damaged'].includes(state))) process.exitCode = exitCodes.failed
  } finally {
    for (const place of found) place.close()
  }
}

/** Makes a chain into one archive, reads that from end to end, and says what it is. The chain stays. */
export async function runMerge(last: string, file: string, earlier: readonly string[], options: BackupCommandOptions): Promise<void> {
  const config = configFrom(options)
  const passphrase = await passphraseOf(config, options)
  const place = await archiveAt(file, config.objectStore)
  try {
    await withArchives([last, ...earlier], config, (from, others) =>
      withProgress(async onProgress => {
        const verifying = (done: number, total: number) => onProgress({ doing: 'verifying', done, total })
        const chain = await openChain(from, passphrase, others, (done, total) => onProgress({ doing: 'opening', done, total }))
        try {
          await mergeChain({ chain, place, passphrase, onRead: (done, total) => onProgress({ doing: 'merging', done, total }) })
        } finally {
          chain.close()
        }
        const merged = await openChain(place, passphrase)
        await verifyChain(merged, verifying)
      }),
    )
    const { created_at } = (await openChain(place, passphrase)).contents.self
    process.stdout.write(`${place.name}: ${bytesInWords((await place.size()) ?? 0)}, as of ${created_at}, stands alone and is whole\n`)
    process.stdout.write('What builds on one of the others still needs those.\n')
  } finally {
    place.close()
  }
}

function sayWhatIsMissing({ missing_objects, damaged_repositories }: Pick<End, 'missing_objects' | 'damaged_repositories'>): void {
  const lines = [
    ...missing_objects.map(key => `The backup lacks the file ${key}, which a row names: it was missing or damaged in the object store.\n`),
    ...damaged_repositories.map(name => `The backup lacks ${name}, which git could not read.\n`),
  ]
  for (const line of lines) process.stderr.write(line)
  if (lines.length > 0) process.exitCode = exitCodes.failed
}

/** The passphrase of the file, or else that of the settings; undefined for none. */
async function passphraseOf(config: Config, { passphraseFile }: BackupCommandOptions): Promise<Secret | undefined> {
  if (passphraseFile === undefined) return config.backupPassphrase
  const text = await readFile(passphraseFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`--passphrase-file: cannot read ${passphraseFile} (${error.code})`)
  })
  const [passphrase = ''] = text.split(/\r?\n/, 1)
  if (passphrase.length < 12)
    throw new ConfigError(`--passphrase-file: the first line of ${passphraseFile} must have 12 characters or more`)
  return new Secret(passphrase)
}

const inWords: Readonly<Record<Progress['doing'], string>> = {
  waiting: 'waits for the packing of a repository or another backup',
  opening: 'archives are opened',
  merging: 'bytes are read and written again',
  verifying: 'bytes are read and compared with their digests',
  rows: 'tables',
  repositories: 'repositories',
  objects: 'files',
  checking: 'checks that everything fits together',
}

/** Shows how far the work is, on a terminal. */
async function withProgress<T>(work: (onProgress: (progress: Progress) => void) => Promise<T>): Promise<T> {
  const bar = new SingleBar({ format: '{bar} {value} of {total} {doing}', clearOnComplete: true, stream: process.stderr })
  let isShown = false
  try {
    return await work(({ doing, done, total }) => {
      if (!isShown) bar.start(total, done, { doing: inWords[doing] })
      isShown = true
      bar.setTotal(total)
      bar.update(done, { doing: inWords[doing] })
    })
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    // A full disk, a folder that may not be written: what to do about it is said by the reason.
    if (code === 'ENOSPC')
      throw new CommandFailure(`the disk is full${path === undefined ? '' : ` (${path})`}: nothing was kept`, { cause: error })
    throw error
  } finally {
    if (isShown) bar.stop()
  }
}

/** `12.3 MB` */
export function bytesInWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
