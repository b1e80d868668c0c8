/** Writes of clusters. */

import { X509Certificate } from 'node:crypto'
import type { Updateable } from 'kysely'
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { DB } from '../../platform/db/schema.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { changesBetween } from '../../platform/events/audit/changes.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, invalid } from '../../platform/kernel/errors.ts'
import { hookDestinations } from '../../platform/outbound/allowed.ts'
import { isCallable } from '../../platform/outbound/callable.ts'
import { loggedUrl } from '../../platform/outbound/shown_url.ts'
import { projectAllowing } from '../../spaces/projects/scope.ts'
import type { authorizationTypes } from './entity.ts'
import { type ClusterRow, clustersOfGroup, clustersOfInstance, clustersOfProject } from './queries.ts'
import type { ClusterHolder } from './scope.ts'

/** The associated data of the encryption of tokens. */
export const TOKEN_PURPOSE = 'clusters.token'

/** Clusters of one holder: all that a job may use are read for it. */
const MOST = 100

/** How a cluster is reached; undefined attributes are unchanged, or get the default of a new cluster. */
interface Platform {
  readonly api_url?: string | undefined
  readonly token?: string | undefined
  readonly ca_cert?: string | null | undefined
  readonly namespace?: string | null | undefined
  readonly authorization_type?: (typeof authorizationTypes)[number] | undefined
}

/** The attributes of a cluster. */
export interface ClusterAttributes {
  readonly name?: string | undefined
  readonly domain?: string | null | undefined
  readonly enabled?: boolean | undefined
  readonly managed?: boolean | undefined
  readonly namespace_per_environment?: boolean | undefined
  readonly environment_scope?: string | undefined
  readonly management_project_id?: number | null | undefined
  readonly platform_kubernetes_attributes?: Platform | undefined
}

type Columns = Omit<Updateable<DB['clusters']>, 'id' | 'project_id' | 'namespace_id' | 'user_id' | 'created_at' | 'updated_at'>

const scopeTaken = () => invalid({ environment_scope: ['cannot add duplicated environment scope'] })

/** Adds a cluster; 400 where the holder has one for the same environments, or an attribute is wrong. */
export async function addCluster(
  ctx: Context,
  holder: ClusterHolder,
  given: ClusterAttributes & { readonly name: string; readonly platform_kubernetes_attributes: Platform & { readonly api_url: string } },
): Promise<ClusterRow> {
  const { db, now, actor } = ctx
  const columns = { authorization_type: 'rbac', ...columnsOf(ctx, given) } satisfies Columns
  await assertCluster(ctx, holder, columns, given)
  await assertRoom(ctx, holder)
  const made = await db
    .insertInto('clusters')
    .values({
      ...columns,
      ...(holder.kind === 'project' && { project_id: holder.project.id }),
      ...(holder.kind === 'group' && { namespace_id: holder.group.id }),
      name: given.name,
      api_url: columns.api_url as string,
      user_id: actor.user?.id ?? null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : scopeTaken()
    })
  await recordEvent(ctx, { kind: 'cluster.created', payload: { id: made.id, name: made.name }, ...inPlace(made) })
  return made
}

/** Changes a cluster. */
export async function updateCluster(
  ctx: Context,
  holder: ClusterHolder,
  { id }: ClusterRow,
  given: ClusterAttributes,
): Promise<ClusterRow> {
  const { db, now } = ctx
  const before = await db.selectFrom('clusters').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  const columns = columnsOf(ctx, given)
  await assertCluster(ctx, holder, { ...before, ...columns }, given)
  // The token is for the address that it was given with: who does not know it could have it sent to a server of theirs.
  const isMoved = columns.api_url !== undefined && columns.api_url !== before.api_url
  const after = await db
    .updateTable('clusters')
    .set({ ...(isMoved && { token: null }), ...columns, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : scopeTaken()
    })
  const changes = {
    ...changesBetween(before, after, audited),
    ...changesBetween(before, { token: given.platform_kubernetes_attributes?.token }, ['token']),
    ...(isMoved && { api_url: { from: loggedUrl(before.api_url), to: loggedUrl(after.api_url) } }),
  }
  await recordEvent(ctx, { kind: 'cluster.updated', payload: { id, name: after.name, changes }, ...inPlace(after) })
  return after
}

const audited = [
  'name',
  'domain',
  'enabled',
  'managed',
  'namespace_per_environment',
  'environment_scope',
  'management_project_id',
  'ca_cert',
  'namespace',
]

/** Forgets a cluster; what runs in it stays. */
export async function removeCluster(ctx: Context, cluster: ClusterRow): Promise<void> {
  const { id, name } = cluster
  await ctx.db.deleteFrom('clusters').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'cluster.deleted', payload: { id, name }, ...inPlace(cluster) })
}

/** The columns that are given. An empty text means none. */
function columnsOf({ deps }: Context, { platform_kubernetes_attributes: platform = {}, domain, ...rest }: ClusterAttributes): Columns {
  const { api_url, token, ca_cert, namespace, authorization_type } = platform
  return {
    ...rest,
    ...(domain !== undefined && { domain: domain?.trim() || null }),
    ...(api_url !== undefined && { api_url: api_url.trim() }),
    ...(token !== undefined && { token: deps.secrets.encrypt(token.trim(), TOKEN_PURPOSE) }),
    ...(ca_cert !== undefined && { ca_cert: ca_cert?.trim() || null }),
    ...(namespace !== undefined && { namespace: namespace?.toLowerCase() || null }),
    ...(authorization_type !== undefined && {
      authorization_type: authorization_type === 'unknown_authorization' ? null : authorization_type,
    }),
  }
}

/** 400 for what the schema cannot say. `columns`: as they will be; `given`: what is checked because it was sent. */
async function assertCluster(ctx: Context, holder: ClusterHolder, columns: Columns, given: ClusterAttributes): Promise<void> {
  const { token } = given.platform_kubernetes_attributes ?? {}
  const { api_url, ca_cert, namespace, domain, managed = true } = columns
  const failures: Failures = {}
  const fail = (attribute: string, message: string) => {
    failures[attribute] = [message]
  }
  if (given.name !== undefined && given.name.trim() === '') fail('name', 'has to be present')
  if (given.domain !== undefined && domain && !isHostName(domain)) fail('domain', 'must be a host name')
  if (given.platform_kubernetes_attributes?.api_url !== undefined && !(await isApiUrl(ctx, api_url ?? '')))
    fail('platform_kubernetes.api_url', 'is blocked: it must be a public http or https URL without credentials')
  // It becomes a header.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token.trim()))
    fail('platform_kubernetes.token', token.trim() === '' ? "can't be blank" : 'is invalid')
  if (given.platform_kubernetes_attributes?.ca_cert !== undefined && ca_cert && !isCertificate(ca_cert))
    fail('platform_kubernetes.ca_cert', 'must be a valid PEM certificate')
  if (namespace && !isNamespace(namespace))
    fail(
      'platform_kubernetes.namespace',
      "can contain only lowercase letters, digits, and '-'. Must start and end with a letter or digit, and be none that is reserved",
    )
  else if (namespace && managed && holder.kind !== 'project') fail('platform_kubernetes.namespace', 'only allowed for project cluster')
  if (given.management_project_id != null && !(await mayManage(ctx, holder, given.management_project_id)))
    fail('management_project_id', "Project does not exist or you don't have permission to perform this action")
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** Nothing that could hold a credential: jobs and those who see their logs may read the address. */
async function isApiUrl({ db, deps }: Context, address: string): Promise<boolean> {
  const url = URL.parse(address)
  if (url?.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false
  return isCallable(address, await hookDestinations(db, deps.config, { isOfInstance: false }))
}

const isHostName = (text: string): boolean =>
  text.length <= 253 && text.split('.').every(label => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))

const isNamespace = (text: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && text !== 'gitlab-managed-apps'

function isCertificate(pem: string): boolean {
  try {
    return pem.startsWith('-----BEGIN CERTIFICATE-----') && new X509Certificate(pem).publicKey.asymmetricKeyType !== undefined
  } catch {
    return false
  }
}

/** May the actor make a project the manager of a cluster of this holder? It is below the holder, and the actor may manage its clusters. */
async function mayManage(ctx: Context, holder: ClusterHolder, projectId: number): Promise<boolean> {
  const project = await projectAllowing(ctx, String(projectId), 'admin_cluster')
  if (!project) return false
  if (holder.kind === 'instance') return true
  return holder.kind === 'group'
    ? project.namespace_traversal_ids.includes(holder.group.id)
    : project.namespace_id === holder.project.namespace_id
}

const clustersOf = ({ db }: Context, holder: ClusterHolder) =>
  holder.kind === 'instance'
    ? clustersOfInstance(db)
    : holder.kind === 'group'
      ? clustersOfGroup(db, holder.group.id)
      : clustersOfProject(db, holder.project.id)

/** Of changes of the clusters of the instance one waits for the other; those of a group or project wait at its row. */
async function lockHolder({ db }: Context, holder: ClusterHolder): Promise<void> {
  if (holder.kind === 'project') await db.selectFrom('projects').select('id').where('id', '=', holder.project.id).forNoKeyUpdate().execute()
  else if (holder.kind === 'group')
    await db.selectFrom('namespaces').select('id').where('id', '=', holder.group.id).forNoKeyUpdate().execute()
  else await lockName(db, 'clusters of the instance')
}

/** 400 for one too many. Of requests at the same time the later ones wait, and count the others. */
async function assertRoom(ctx: Context, holder: ClusterHolder): Promise<void> {
  await lockHolder(ctx, holder)
  const found = await clustersOf(ctx, holder).limit(MOST).execute()
  if (found.length >= MOST) throw invalid({ base: [`Maximum number of clusters (${MOST}) exceeded`] })
}
