/** Modules of Go in a repository: a folder with a `go.mod`, and the tags that are its versions. */
import {
  entryAt,
  filesOfCommit,
  GitError,
  inWholeSeconds,
  listTags,
  type ObjectId,
  type Repository,
  readBlob,
  readCommit,
  resolveCommit,
  streamArchive,
  streamBlob,
} from '../../../../platform/git/index.ts'
import { compareVersions, type SemanticVersion } from '../shared/semver.ts'
import { fitsMajor, type ModulePath, modulePathIn, parseGoVersion, parseModulePath, parsePseudoVersion } from './address.ts'
import { filesOfTar, zipOf } from './zip.ts'

/** Bytes of a `go.mod`, which `go` has too. */
const MOST_OF_GO_MOD = 16 * 1024 * 1024

/** Bytes of a `go.mod` in which its path is looked for. */
const MOST_BEFORE_PATH = 64 * 1024

/** Tags whose `go.mod` is read concurrently. */
const AT_A_TIME = 8

/** A module that may be in a repository. */
export interface Module {
  readonly repository: Repository
  /** As its `go.mod` has it. */
  readonly path: string
  /** Its folder without the part of a major version; empty for the whole repository. */
  readonly folder: string
}

/** A version of a module that is there. */
export interface ModuleVersion {
  readonly version: string
  readonly commit: ObjectId
  /** The folder of the `go.mod`. */
  readonly folder: string
  /** The blob of the `go.mod`. */
  readonly goMod: ObjectId
}

/** The paths that files `go.mod` have, by blob: most tags have the same file. */
type KnownPaths = Map<ObjectId, Promise<string | undefined>>

/** Whether a path is that of a project, or below it. */
export const isBelow = (path: string, home: string): boolean => `${path}/`.toLowerCase().startsWith(`${home}/`.toLowerCase())

/** @param home the path of modules in the whole repository: those below it have their folder in their path */
export function moduleAt(repository: Repository, path: string, home: string): Module {
  const { base } = parseModulePath(path)
  return { repository, path, folder: isBelow(base, home) ? base.slice(home.length + 1) : '' }
}

interface Candidate {
  readonly version: string
  readonly parsed: SemanticVersion
  readonly commit: ObjectId
}

/** The names of the versions that tags name, in their order; of those alone whose `go.mod` is that of the module. */
export async function versionsOf(module: Module): Promise<string[]> {
  const candidates = (await taggedVersions(module)).sort((one, other) => compareVersions(one.parsed, other.parsed))
  const known: KnownPaths = new Map()
  const found: string[] = []
  for (let at = 0; at < candidates.length; at += AT_A_TIME) {
    const some = await Promise.all(candidates.slice(at, at + AT_A_TIME).map(candidate => confirmed(module, candidate, known)))
    found.push(...some.flatMap(version => version?.version ?? []))
  }
  return found
}

/** The version of this name, by a tag or as a pseudo-version. */
export async function versionNamed(module: Module, name: string): Promise<ModuleVersion | undefined> {
  const parsed = parseGoVersion(name)
  if (!parsed || !fitsMajor(parseModulePath(module.path), parsed)) return undefined
  const pseudo = parsePseudoVersion(parsed)
  if (!pseudo) {
    const tagged = (await taggedVersions(module)).find(({ version }) => version === name)
    return tagged && confirmed(module, tagged)
  }
  const commit = await resolveCommit(module.repository, pseudo.id)
  if (commit === undefined || timeInVersion(await timeOf(module.repository, commit)) !== pseudo.time) return undefined
  return confirmed(module, { version: name, parsed, commit })
}

/** The tags that are versions of a module: those of a folder begin with it, unless the folder has none and takes those of the repository. */
async function taggedVersions({ repository, path, folder }: Module): Promise<Candidate[]> {
  const tags = await listTags(repository)
  const module: ModulePath = parseModulePath(path)
  const below = (prefix: string) =>
    tags.flatMap(({ name, commit }): Candidate[] => {
      if (!name.startsWith(prefix)) return []
      const version = name.slice(prefix.length)
      const parsed = parseGoVersion(version)
      return parsed && fitsMajor(module, parsed) && !parsePseudoVersion(parsed) ? [{ version, parsed, commit }] : []
    })
  const own = folder === '' ? [] : below(`${folder}/`)
  return own.length > 0 ? own : below('')
}

/** The version, if its commit has the `go.mod` of the module: in the folder of its major version, or in that above. */
async function confirmed(
  { repository, path, folder }: Module,
  { version, commit }: Candidate,
  known: KnownPaths = new Map(),
): Promise<ModuleVersion | undefined> {
  const { major } = parseModulePath(path)
  const inMajor = major === undefined ? [] : [folder === '' ? `v${major}` : `${folder}/v${major}`]
  for (const at of [...inMajor, folder]) {
    const goMod = await goModAt(repository, commit, at)
    if (goMod !== undefined && (await pathIn(repository, goMod, known)) === path) return { version, commit, folder: at, goMod }
  }
  return undefined
}

async function goModAt(repository: Repository, commit: ObjectId, folder: string): Promise<ObjectId | undefined> {
  try {
    const entry = await entryAt(repository, commit, folder === '' ? 'go.mod' : `${folder}/go.mod`)
    return entry?.type === 'blob' ? entry.id : undefined
  } catch (error) {
    // A tag may name something other than a commit.
    if (error instanceof GitError) return undefined
    throw error
  }
}

function pathIn(repository: Repository, goMod: ObjectId, known: KnownPaths): Promise<string | undefined> {
  const found = known.get(goMod) ?? readPath(repository, goMod)
  known.set(goMod, found)
  return found
}

async function readPath(repository: Repository, goMod: ObjectId): Promise<string | undefined> {
  const { size, bytes } = await streamBlob(repository, goMod)
  if (size > MOST_OF_GO_MOD) return undefined
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of bytes) {
    chunks.push(chunk.subarray(0, MOST_BEFORE_PATH - read))
    read += chunk.length
    if (read >= MOST_BEFORE_PATH) break
  }
  return modulePathIn(Buffer.concat(chunks).toString('utf8'))
}

/** The `go.mod` of a version. */
export const goModOf = async ({ repository }: Module, { goMod }: ModuleVersion): Promise<string> =>
  (await readBlob(repository, goMod, MOST_OF_GO_MOD)).toString('utf8')

/** When a commit was made. */
export async function timeOf(repository: Repository, id: ObjectId): Promise<Date> {
  const commit = await readCommit(repository, id)
  if (!commit) throw new GitError('not_found', 'There is no such commit')
  return new Date(inWholeSeconds(commit.committer))
}

const timeInVersion = (time: Date): string => time.toISOString().replace(/\D/g, '').slice(0, 14)

/**
 * The files of a version as `go` takes them, in a zip: without links, and without modules and packages of others that are in folders of it. The
 * checksum of `go` is over the names in the zip, so there are none of folders.
 */
export async function* archiveOf({ repository, path }: Module, { version, commit, folder }: ModuleVersion, signal: AbortSignal) {
  const tree = folder === '' ? undefined : (await entryAt(repository, commit, folder))?.id
  const inner = await innerModules(repository, commit, folder)
  // The folder that git puts all of it in is ours to take off again.
  const tar = streamArchive(repository, { commit, tree, format: 'tar', prefix: 'module' }, signal)
  const isPart = (name: string) => !isVendored(name) && !foldersOf(name).some(above => inner.has(above))
  yield* zipOf(
    filesOfTar(tar, name => (isPart(name.slice('module/'.length)) ? `${path}@${version}/${name.slice('module/'.length)}` : undefined)),
  )
}

/** The folders below that of a module which are modules of their own. */
async function innerModules(repository: Repository, commit: ObjectId, folder: string): Promise<Set<string>> {
  const start = folder === '' ? '' : `${folder}/`
  const found = new Set<string>()
  for await (const { path } of filesOfCommit(repository, commit)) {
    if (path.startsWith(start) && path.endsWith('/go.mod')) found.add(path.slice(start.length, -'/go.mod'.length))
  }
  // That of the module itself.
  found.delete('')
  return found
}

const foldersOf = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** Whether a file is of a package that the module has copied. Of folders `vendor` below, `go` counts all files but those with a short path. */
function isVendored(name: string): boolean {
  if (name.startsWith('vendor/')) return name.slice('vendor/'.length).includes('/')
  return name.includes('/vendor/') && name.slice('/vendor/'.length).includes('/')
}
