import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { openScene } from '../../../test/scene.ts'
import { makePair } from '../../identity/saml/scene_pair.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { runnerVariablesOf } from '../job_variables/for_job.ts'
import { jobById } from '../jobs/queries.ts'
import { runningJob } from '../jobs/scene.ts'
import { clusterFor, namespaceFor } from './deployment.ts'

const scene = await openScene()
const ctx = systemContext(scene.deps, scene.deps.database.db)

const input = (name: string, more: object = {}, platform: object = {}) => ({
  name,
  ...more,
  platform_kubernetes_attributes: { api_url: `https://${name}.example.com`, token: `token-of-${name}`, ...platform },
})

/** The variables of clusters that a job gets, by key. */
async function variablesOf(id: number) {
  const variables = await runnerVariablesOf(ctx, (await jobById(ctx.db, id))!)
  const found = variables.filter(({ key }) => key.startsWith('KUBE') || key === 'CI_KUBERNETES_ACTIVE')
  return Object.fromEntries(found.map(each => [each.key, { ...each, value: each.value.reveal() }]))
}

type Job = Parameters<typeof runningJob>

async function deployingJob(project: Job[1], person: Job[2], environment: string | null, kubernetes?: { namespace: string }) {
  const options = {
    script: ['true'],
    ...(environment !== null && { environment: { name: environment, ...(kubernetes && { kubernetes }) } }),
  }
  const { id } = await runningJob(scene, project, person, { options, variables: [{ key: 'PART', value: 'web' }] })
  await ctx.db.updateTable('jobs').set({ environment }).where('id', '=', id).execute()
  return variablesOf(id)
}

test('a job that deploys is given the cluster of its environment, and the token of one that is not managed', async () => {
  const { project, owner } = await scene.project()
  const { certificate } = makePair()
  const url = `${project.url}/clusters/user`
  await owner.post(url, input('everywhere', { managed: false, domain: 'apps.example.com' }, { ca_cert: certificate }))
  await owner.post(url, input('review', { environment_scope: 'review/*' }))
  await owner.post(url, input('off', { environment_scope: 'review/off', enabled: false }))

  const production = await deployingJob(project, owner, 'production')
  const review = await deployingJob(project, owner, 'review/off')
  const none = await deployingJob(project, owner, null)

  const namespace = `${project.path}-${project.id}-production`
  const { KUBE_URL, KUBE_TOKEN, KUBE_NAMESPACE, KUBE_CA_PEM_FILE, KUBE_INGRESS_BASE_DOMAIN, KUBECONFIG } = production
  assert.deepEqual([KUBE_URL?.value, KUBE_NAMESPACE?.value], ['https://everywhere.example.com', namespace])
  assert.deepEqual([KUBE_TOKEN?.value, KUBE_TOKEN?.masked, KUBE_TOKEN?.public], ['token-of-everywhere', true, false])
  assert.deepEqual([KUBE_CA_PEM_FILE?.file, KUBE_CA_PEM_FILE?.value], [true, certificate.trim()])
  assert.deepEqual([KUBE_INGRESS_BASE_DOMAIN?.value, production.CI_KUBERNETES_ACTIVE?.value], ['apps.example.com', 'true'])
  assert.deepEqual([KUBECONFIG?.file, KUBECONFIG?.public], [true, false])
  assert.deepEqual(load(KUBECONFIG?.value as string), {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'gitlab-deploy',
        cluster: {
          server: 'https://everywhere.example.com',
          'certificate-authority-data': Buffer.from(certificate.trim()).toString('base64'),
        },
      },
    ],
    contexts: [{ name: 'gitlab-deploy', context: { cluster: 'gitlab-deploy', namespace, user: 'gitlab-deploy' } }],
    'current-context': 'gitlab-deploy',
    users: [{ name: 'gitlab-deploy', user: { token: 'token-of-everywhere' } }],
  })
  assert.deepEqual(Object.keys(review).sort(), ['CI_KUBERNETES_ACTIVE', 'KUBE_URL'], 'the namespaces of managed clusters are not made')
  assert.equal(review.KUBE_URL?.value, 'https://review.example.com')
  assert.deepEqual(Object.keys(none), ['CI_KUBERNETES_ACTIVE'])
})

test('a job names its namespace, with variables, and nothing of a token is expanded', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/clusters/user`, input('own', { managed: false }, { token: 'a$PART-b' }))

  const { KUBE_NAMESPACE, KUBE_TOKEN } = await deployingJob(project, owner, 'production', { namespace: 'team-$PART' })

  assert.deepEqual([KUBE_NAMESPACE?.value, KUBE_TOKEN?.value], ['team-web', 'a$PART-b'])
})

test('clusters of groups are for the projects below; their manager is given the token, until it moves away', async () => {
  const { group, owner } = await scene.group()
  const other = await scene.group({ owner })
  const { project } = await scene.project({ group, owner })
  const { project: manager } = await scene.project({ group, owner })
  await owner.post(`${group.url}/clusters/user`, input('shared', { management_project_id: manager.id }))

  const below = await deployingJob(project, owner, 'production')
  const managing = await deployingJob(manager, owner, 'production')
  assert.equal((await owner.put(`${manager.url}/transfer`, { namespace: other.group.id })).status, 200)
  const moved = await deployingJob(manager, owner, 'production')

  assert.deepEqual([below.KUBE_URL?.value, below.KUBE_TOKEN], ['https://shared.example.com', undefined])
  assert.equal(managing.KUBE_TOKEN?.value, 'token-of-shared')
  assert.deepEqual(moved, {})
})

test('the token of a cluster whose address changed is given to no job', async () => {
  const { project, owner } = await scene.project()
  const { body } = await owner.post(`${project.url}/clusters/user`, input('own', { managed: false }))
  await owner.put(`${project.url}/clusters/${body.id}`, { platform_kubernetes_attributes: { api_url: 'https://thief.example.com' } })

  const { KUBE_URL, KUBE_TOKEN, KUBECONFIG } = await deployingJob(project, owner, 'production')

  assert.deepEqual([KUBE_URL?.value, KUBE_TOKEN, KUBECONFIG], ['https://thief.example.com', undefined, undefined])
})

test('of the clusters whose scope fits the nearest counts, and of equally near ones the most specific', () => {
  const project = { id: 5, namespace_traversal_ids: [1, 2] }
  const cluster = (name: string, environment_scope: string, place: object) => ({
    name,
    environment_scope,
    project_id: null,
    namespace_id: null,
    management_project_id: null,
    ...place,
  })
  const clusters = [
    cluster('instance', 'production', {}),
    cluster('outer group', 'production', { namespace_id: 1 }),
    cluster('inner group', '*', { namespace_id: 2 }),
    cluster('project', 'review/*', { project_id: 5 }),
    cluster('one of the project', 'review/one', { project_id: 5 }),
    cluster('managed', 'managed', { namespace_id: 1, management_project_id: 5 }),
  ]
  const table = [
    ['production', 'inner group'],
    ['review/one', 'one of the project'],
    ['review/two', 'project'],
    ['managed', 'managed'],
  ] as const
  for (const [environment, expected] of table) assert.equal(clusterFor(clusters, project, environment)?.name, expected)
  assert.equal(clusterFor(clusters.slice(3), project, 'production'), undefined)
})

test('namespaces are named after the project and the environment', () => {
  const deployment = { project: { id: 7, path: '_My.App' }, slug: 'review-1', namespace: undefined }
  const table = [
    [{ namespace: null, managed: false, namespace_per_environment: true }, 'my-app-7-review-1'],
    [{ namespace: null, managed: false, namespace_per_environment: false }, 'my-app-7'],
    [{ namespace: 'web', managed: false, namespace_per_environment: true }, 'web'],
    [{ namespace: 'web', managed: true, namespace_per_environment: true }, 'web-review-1'],
  ] as const
  for (const [cluster, expected] of table) assert.equal(namespaceFor(cluster, deployment), expected)
})
