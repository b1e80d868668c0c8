/**
 * Where CI files come from: the commit of the pipeline, other projects whose code the user who starts the pipeline may read, and other
 * servers, within the rules of outgoing requests.
 */
import { dump } from 'js-yaml'
import { includedTemplate } from '../../code/templates/catalogues.ts'
import { allows } from '../../platform/access/abilities.ts'
import { type Actor, anonymous, byMembership } from '../../platform/access/actor.ts'
import {
  decodeText,
  entryAt,
  GitError,
  listTree,
  pathParts,
  type Repository,
  readBlob,
  resolveCommit,
  TooLarge,
} from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { destinationOf, OutboundRefused } from '../../platform/outbound/addresses.ts'
import { get, OutboundFailed } from '../../platform/outbound/get.ts'
import { loggedUrl } from '../../platform/outbound/shown_url.ts'
import { Secret } from '../../platform/secret.ts'
import { type ProjectRow, visibleProject } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { limits } from './limits.ts'
import { CI_FILE, type Located, type Sources } from './plan.ts'
import { ConfigRefused } from './reading/values.ts'

/** Thrown where a CI file includes a file of another server, and is not to be waited for. */
export class RemoteNeeded extends Error {
  override name = 'RemoteNeeded'
}

type Placed = Pick<ProjectRow, 'id' | 'repository_storage'>

/**
 * Where the CI file of a pipeline of this commit finds its includes; without a commit there are no local files. Reads are lazy.
 * @param waits whether files of other servers are read, else including one throws `RemoteNeeded`
 */
export function sourcesFor(ctx: Context, project: Placed, sha: string | undefined, waits = true): Sources {
  const { deps } = ctx
  let opening: Promise<Repository | undefined> | undefined
  const repository = () => {
    opening ??= findRepository(deps.storages, project)
    return opening
  }
  return {
    local: async path => fileOf(await repository(), sha, path),
    files: async () => filesOf(await repository(), sha),
    project: projectFiles(ctx, project.id),
    remote: waits ? remoteFiles(ctx) : needsRemote,
    template,
  }
}

const needsRemote: Sources['remote'] = () => Promise.reject(new RemoteNeeded('a file of another server'))

const template: Sources['template'] = ({ meant }) => includedTemplate(meant.reveal())

/** Where a CI file that belongs to no project finds its includes. */
export const sourcesOfNobody = (ctx: Context): Sources => ({
  local: async ({ written }) => {
    throw new ConfigRefused(`Local file \`${written}\` does not have project!`)
  },
  files: async () => [],
  project: projectFiles(ctx),
  remote: remoteFiles(ctx),
  template,
})

/**
 * The CI file of a commit and its location, as `ci_config_path` of the project says: a file of the commit, a file of another project
 * (`path@group/project`, `path@group/project:ref`), or an address. Undefined if the commit has none. A file elsewhere becomes
 * an `include` of it, so that its own local files are found where it lies.
 */
export async function ciFileOf(
  { deps }: Context,
  project: Placed & Pick<ProjectRow, 'ci_config_path'>,
  sha: string,
): Promise<{ readonly text: string; readonly path: string } | undefined> {
  const path = project.ci_config_path || CI_FILE
  const elsewhere = elsewhereOf(path)
  if (elsewhere) return { path, text: dump({ include: [elsewhere] }) }
  try {
    const text = await fileOf(await findRepository(deps.storages, project), sha, { written: path, meant: new Secret(path) })
    return text === undefined ? undefined : { path, text }
  } catch (error) {
    // The file exists; the parser reports what is wrong with it.
    if (error instanceof ConfigRefused) return { path, text: dump({ include: [{ local: path }] }) }
    throw error
  }
}

/** The text that includes a CI file from outside the project's commits; undefined for a path within them. Pure. */
export function elsewhereOf(path: string): Readonly<Record<string, string>> | undefined {
  if (/^https?:\/\//.test(path)) return { remote: path }
  const [, file, project = '', ref] = /^([^@]+)@([^:]+)(?::(.+))?$/.exec(path) ?? []
  return file === undefined || !/[^:]\/[^:]/.test(project) ? undefined : { project, file, ...(ref === undefined ? {} : { ref }) }
}

/** @throws ConfigRefused above the limit of a CI file */
async function fileOf(
  repository: Repository | undefined,
  sha: string | undefined,
  { written, meant }: Located,
): Promise<string | undefined> {
  const plain = meant.reveal().replace(/^\/+/, '')
  const entry = repository && sha && pathParts(plain) ? await entryAt(repository, sha, plain) : undefined
  if (!repository || entry?.type !== 'blob') return undefined
  try {
    return decodeText(await readBlob(repository, entry.id, limits.fileBytes))
  } catch (error) {
    throw error instanceof TooLarge ? new ConfigRefused(`${written.replace(/^\/+/, '')} is larger than ${limits.fileBytes} bytes`) : error
  }
}

/** The paths of all files of a commit. */
async function filesOf(repository: Repository | undefined, sha: string | undefined): Promise<readonly string[]> {
  const tree =
    repository &&
    sha &&
    (await listTree(repository, { commit: sha, recursive: true }).catch(error => {
      if (error instanceof GitError && error.kind === 'too_large') throw new ConfigRefused('`exists`: the repository has too many files')
      throw error
    }))
  return tree ? tree.rows.filter(({ type }) => type !== 'tree').map(({ path }) => path) : []
}

/** Reads files of other projects that the user who starts the pipeline may read: hidden files are reported as not found. */
function projectFiles(ctx: Context, ownId?: number): Sources['project'] {
  const known = new Map<string, ReturnType<typeof readable>>()
  return async ({ project: { written, meant: path }, file, ref, asPublic }) => {
    const reader = asPublic ? anonymous : ctx.actor
    const meant = path.reveal()
    // Several files of one project are the common case.
    const key = `${asPublic} ${meant}`
    const finding = known.get(key) ?? readable(ctx, reader, meant, ownId)
    known.set(key, finding)
    const found = await finding
    if (!found)
      throw new ConfigRefused(
        `Project \`${written}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`,
      )
    const { project, repository } = found
    const sha = repository && (await resolveCommit(repository, ref?.meant.reveal() ?? project.default_branch ?? 'HEAD'))
    if (sha === undefined) throw new ConfigRefused(`Project \`${written}\` reference \`${ref?.written ?? 'HEAD'}\` does not exist!`)
    return fileOf(repository, sha, file)
  }
}

/**
 * The project of a path with its repository; undefined if `reader` may not read its code. Memberships decide whose files a CI file may
 * include: an administrator who starts a pipeline lends its author no further rights. Its own project `ownId` is open to a pipeline.
 */
async function readable({ db, deps }: Context, reader: Actor, path: string, ownId: number | undefined) {
  if (!path.includes('/')) return undefined
  for (const actor of [byMembership(reader), reader]) {
    const project = await visibleProject(db, actor, path)
    if (project && allows(actor, 'read_code', projectSubject(project)) === 'yes' && (actor !== reader || project.id === ownId))
      return { project, repository: await findRepository(deps.storages, project) }
  }
  return undefined
}

/** Reads files from other servers; all reads together are limited in time. */
function remoteFiles(ctx: Context): Sources['remote'] {
  let left: number = limits.remoteTotal
  return async address => {
    const begun = performance.now()
    const text = await remoteFile(ctx, address, Math.min(limits.remoteTimeout, left))
    left = Math.max(1, left - (performance.now() - begun))
    return text
  }
}

async function remoteFile({ deps }: Context, { written, meant }: Located, timeout: number): Promise<string> {
  const url = new URL(meant.reveal())
  const name = loggedUrl(written)
  try {
    const destination = await destinationOf(url, deps.config.outboundAllow)
    // Reads one byte more than allowed, to tell a file that is too large from one that just fits.
    const { status, body } = await get(url, destination, { timeout, limit: limits.fileBytes + 1 })
    if (status !== 200) throw new ConfigRefused(`Remote file \`${name}\` could not be fetched because of HTTP code \`${status}\` error!`)
    return body
  } catch (error) {
    if (error instanceof OutboundRefused || error instanceof OutboundFailed)
      // The reason names the host, which may be the value of a variable.
      throw new ConfigRefused(`Remote file \`${name}\` could not be fetched${written === meant.reveal() ? `: ${error.message}` : '!'}`)
    throw error
  }
}
