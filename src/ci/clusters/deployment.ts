/**
 * The cluster that a job deploys to, and the variables by which it does (deployment variables of 14.0). Jobs are given the token of a cluster whose
 * namespaces they look after themselves, and so are those of the project that manages it. The namespaces of managed clusters would be made by a
 * live connection, which this server has not: their jobs are given the address, the certificate and the domain.
 */
import { dump } from 'js-yaml'
import { fitsName } from '../../code/protected_branches/branch_rights.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'
import { TOKEN_PURPOSE } from './commands.ts'
import { type ClusterRow, type UsingProject, usableClusters } from './queries.ts'

/** A cluster as jobs use it. */
export interface DeploymentCluster extends Omit<ClusterRow, 'token'> {
  readonly token: Secret | undefined
}

/** The clusters that jobs of a project may use, with their tokens. One statement. */
export async function deploymentClusters(db: Db, { secrets }: Pick<Deps, 'secrets'>, project: UsingProject): Promise<DeploymentCluster[]> {
  const rows = await usableClusters(db, project)
  return rows.map(row => ({ ...row, token: row.token === null ? undefined : secrets.decrypt(row.token, TOKEN_PURPOSE) }))
}

type Scoped = Pick<ClusterRow, 'project_id' | 'namespace_id' | 'management_project_id' | 'environment_scope'>

/** How far from a project a cluster is held: managed by it, its own, of the nearest group, ..., of the instance. */
function distance(
  { management_project_id, project_id, namespace_id }: Scoped,
  { id, namespace_traversal_ids: groups }: UsingProject,
): number {
  if (management_project_id === id) return 0
  if (project_id !== null) return 1
  return namespace_id === null ? groups.length + 2 : groups.length + 1 - groups.indexOf(namespace_id)
}

/** How specific a scope is: the exact name of an environment, then patterns by their literal length. */
const closeness = ({ environment_scope: scope }: Scoped): number => (scope.includes('*') ? scope.replaceAll('*', '').length : 256)

/** The cluster for an environment: of those whose scope fits, the nearest, and of equally near ones the one with the most specific scope. Pure. */
export const clusterFor = <C extends Scoped>(clusters: readonly C[], project: UsingProject, environment: string): C | undefined =>
  clusters
    .filter(({ environment_scope: scope }) => scope === '*' || fitsName(scope, environment))
    .sort((a, b) => distance(a, project) - distance(b, project) || closeness(b) - closeness(a))[0]

/** What the variables depend on. */
export interface Deployment {
  readonly project: { readonly id: number; readonly path: string }
  /** Short name of the environment. */
  readonly slug: string
  /** The namespace that the job names, for clusters that are not managed. */
  readonly namespace: string | undefined
}

/** A variable of a deployment: nothing in its value refers to others. */
export interface DeploymentVariable {
  readonly key: string
  readonly value: Secret
  readonly public: boolean
  readonly file: boolean
  readonly masked: boolean
  readonly raw: true
}

const variable = (key: string, value: string | Secret, more: Partial<DeploymentVariable> = {}): DeploymentVariable => ({
  key,
  value: Secret.of(value),
  public: true,
  file: false,
  masked: false,
  raw: true,
  ...more,
})

/** The variables of a job that deploys to a cluster. Pure. */
export function deploymentVariables(cluster: DeploymentCluster, deployment: Deployment): DeploymentVariable[] {
  const { api_url, ca_cert, domain, token, managed, management_project_id } = cluster
  const isItsOwn = !managed || management_project_id === deployment.project.id
  const namespace = isItsOwn ? namespaceFor(cluster, deployment) : undefined
  return [
    variable('KUBE_URL', api_url),
    ...(ca_cert === null ? [] : [variable('KUBE_CA_PEM', ca_cert), variable('KUBE_CA_PEM_FILE', ca_cert, { file: true })]),
    ...(namespace === undefined ? [] : [variable('KUBE_NAMESPACE', namespace)]),
    ...(namespace === undefined || token === undefined
      ? []
      : [
          variable('KUBE_TOKEN', token, { public: false, masked: true }),
          variable('KUBECONFIG', kubeconfig(cluster, token, namespace), { public: false, file: true }),
        ]),
    ...(domain === null ? [] : [variable('KUBE_INGRESS_BASE_DOMAIN', domain)]),
  ]
}

/** The namespace of a job: the one it names, that of the cluster, or one that is named after the project and the environment. */
export function namespaceFor(
  { namespace, managed, namespace_per_environment }: Pick<ClusterRow, 'namespace' | 'managed' | 'namespace_per_environment'>,
  { project, slug, namespace: named }: Deployment,
): string {
  if (named) return named
  if (namespace !== null) return managed && namespace_per_environment ? `${namespace}-${slug}` : namespace
  return [`${project.path}-${project.id}`, ...(namespace_per_environment ? [slug] : [])]
    .join('-')
    .toLowerCase()
    .replace(/[^-a-z0-9]/g, '-')
    .replace(/^-+/, '')
}

const NAME = 'gitlab-deploy'

/** The file that the command line of clusters reads. */
function kubeconfig({ api_url, ca_cert }: DeploymentCluster, token: Secret, namespace: string): Secret {
  const certificate = ca_cert === null ? {} : { 'certificate-authority-data': Buffer.from(ca_cert).toString('base64') }
  return new Secret(
    dump({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: NAME, cluster: { server: api_url, ...certificate } }],
      contexts: [{ name: NAME, context: { cluster: NAME, namespace, user: NAME } }],
      'current-context': NAME,
      users: [{ name: NAME, user: { token: token.reveal() } }],
    }),
  )
}
