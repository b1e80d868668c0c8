/** Writes of imports from GitHub. The task task.ts reads the repository. */
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { enqueue, remoteQueue } from '../../platform/events/worker.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { forbidden, Refusal } from '../../platform/kernel/errors.ts'
import { OutboundRefused } from '../../platform/outbound/addresses.ts'
import { isCallable } from '../../platform/outbound/callable.ts'
import { OutboundFailed } from '../../platform/outbound/exchange.ts'
import { RemoteApi, RemoteBusy, type RemoteLimits, RemoteRefused, remoteLimits } from '../../platform/outbound/remote_api.ts'
import { Secret } from '../../platform/secret.ts'
import { ownNamespace } from '../../spaces/namespaces/queries.ts'
import { targetNamespace } from '../../spaces/projects/lifecycle/target_namespace.ts'
import { type ProjectRow, projects } from '../../spaces/projects/queries.ts'
import { ArchiveRefused, reasonOfRefusal } from '../archives/reading/refused.ts'
import { Row } from '../archives/reading/row.ts'
import { prepareImport } from '../project_archives/importing/commands.ts'

/** What an import is asked for with. */
export interface GithubOptions {
  readonly personal_access_token: string
  readonly repo_id: number
  readonly new_name?: string | undefined
  readonly target_namespace: string
  readonly github_hostname?: string | undefined
}

/** Binds the ciphertext of a token to its column. */
export const TOKEN_PURPOSE = 'github_imports.token'

/** The API of the public server, whose word on who wrote what is taken. */
export const GITHUB = 'https://api.github.com'

/** A refusal in the words of this API. */
const refused = (errors: string): Refusal => new Refusal('unprocessable', { errors })

/** A server of GitHub, asked with a token. */
export const githubAt = (deps: Pick<Deps, 'config' | 'now'>, base: string, token: Secret, limits: RemoteLimits = remoteLimits): RemoteApi =>
  new RemoteApi(base, {
    headers: { authorization: ['Bearer ', token] },
    allow: deps.config.outboundAllow,
    now: deps.now,
    limits,
  })

/**
 * Makes the project that a repository is to become, and queues its import.
 * @throws Refusal 422 for a server that does not answer for the repository, a namespace that the caller may not use, and a name that is taken
 */
export async function requestGithubImport(ctx: Context, options: GithubOptions): Promise<ProjectRow> {
  const { deps, actor } = ctx
  if (!actor.user) throw forbidden()
  const base = await baseOf(ctx, options.github_hostname)
  const namespace = await namespaceFor(ctx, options.target_namespace)
  const { name, clone_url } = await repositoryAt(ctx, base, options)
  return transact(deps.database.db, async db => {
    const inside = { ...ctx, db }
    const path = options.new_name ?? name
    const id = await prepareImport(inside, { object_id: null, address: null }, { path, name: path, namespace }).catch(error => {
      throw error instanceof Refusal ? refused(reasonOfRefusal(error)) : error
    })
    await db
      .insertInto('github_imports')
      .values({
        project_id: id,
        base_url: base,
        clone_url,
        repository_id: options.repo_id,
        token: deps.secrets.encrypt(options.personal_access_token, TOKEN_PURPOSE),
        created_at: ctx.now,
      })
      .execute()
    await enqueueImport(db, { project_id: id, user_id: actor.user?.id ?? null })
    return projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
  })
}

/** Queues the import of a user, or what is left of it. */
export const enqueueImport = (
  db: Db,
  { project_id, user_id }: { readonly project_id: number; readonly user_id: number | null },
  runAt?: Date,
): Promise<void> =>
  enqueue(
    db,
    'import_github',
    { project_id },
    {
      jobKey: `import_github ${project_id}`,
      queueName: remoteQueue(project_id),
      turnOf: user_id,
      ...(runAt && { runAt }),
    },
  )

async function baseOf({ deps }: Context, hostname: string | undefined): Promise<string> {
  if (hostname === undefined) return GITHUB
  const url = URL.parse(hostname)
  const isPlain = url !== null && url.username === '' && url.password === ''
  if (!isPlain || !(await isCallable(hostname, deps.config.outboundAllow))) throw refused('Invalid URL')
  return url.hostname === 'github.com' || url.hostname === 'api.github.com' ? GITHUB : `${url.origin}/api/v3`
}

/** Contract: a namespace that is not there, or not the caller's, is refused in these words (import API at 14.0). */
async function namespaceFor(ctx: Context, path: string): Promise<string> {
  const taken = () => refused('This namespace has already been taken. Choose a different one.')
  const found = await ownNamespace(ctx.db, ctx.actor, path)
  if (!found) throw taken()
  try {
    await targetNamespace(ctx, found.id, 0)
  } catch (error) {
    throw error instanceof Refusal ? taken() : error
  }
  return String(found.id)
}

/** Limits of the one request that is waited for. */
const short: RemoteLimits = { ...remoteLimits, requests: 1, patience: 15_000 }

async function repositoryAt(ctx: Context, base: string, { repo_id, personal_access_token }: GithubOptions) {
  const row = await repositoryRow(ctx, base, `/repositories/${repo_id}`, personal_access_token)
  return { name: row.text('name', 255), clone_url: row.text('clone_url', 2_048) }
}

/** The ID of a repository by the name that people know it by, `owner/name`. @throws Refusal as `requestGithubImport` */
export async function repositoryIdNamed(
  ctx: Context,
  {
    full_name,
    personal_access_token,
    github_hostname,
  }: Omit<GithubOptions, 'repo_id' | 'target_namespace'> & { readonly full_name: string },
): Promise<number> {
  const path = `/repos/${full_name.split('/').map(encodeURIComponent).join('/')}`
  return (await repositoryRow(ctx, await baseOf(ctx, github_hostname), path, personal_access_token)).integer('id')
}

async function repositoryRow({ deps }: Context, base: string, path: string, token: string): Promise<Row> {
  const failed = (why: string) => refused(`Import failed due to a GitHub error: ${why}`)
  try {
    const { value } = await githubAt(deps, base, new Secret(token), short).get(path)
    const row = Row.of(value, 'repository')
    if (!isOfServer(row.text('clone_url', 2_048), base)) throw failed('the repository is on another server')
    return row
  } catch (error) {
    const kinds = [OutboundRefused, OutboundFailed, RemoteBusy, RemoteRefused, ArchiveRefused]
    // Contract: a token that is not taken is 401 (import API at 14.0).
    if (error instanceof RemoteRefused && error.status === 401)
      throw new Refusal('unauthenticated', { error: 'Access denied to your GitHub account.' })
    throw kinds.some(kind => error instanceof kind) ? failed((error as Error).message) : error
  }
}

/** Is an address of a repository on the server whose API this is? The token goes there. */
function isOfServer(text: string, base: string): boolean {
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') return false
  return url.origin === (base === GITHUB ? 'https://github.com' : new URL(base).origin)
}

/** What is known of an import. */
export const githubImportOf = (db: Db, projectId: number) =>
  db.selectFrom('github_imports').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Forgets the token of an import that has ended. */
export async function forgetToken(db: Db, projectId: number): Promise<void> {
  await db.updateTable('github_imports').set({ token: null }).where('project_id', '=', projectId).execute()
}

/** Counts a failed attempt, or begins to count again. */
export async function setAttempts(db: Db, projectId: number, attempts: number): Promise<void> {
  await db.updateTable('github_imports').set({ attempts }).where('project_id', '=', projectId).execute()
}
