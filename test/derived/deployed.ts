/** What is deployed in the world: environments and deployments, what they are given, and who may deploy. */
import { make, rows } from './making.ts'
import type { Things, World } from './world.ts'

export async function deploying(world: World): Promise<void> {
  const { scene, places } = world
  for (const row of rows) await make(scene.root, '/admin/ci/variables', { key: `KEY_${row}`, value: 'value' })
  for (const { project, group } of Object.values(places))
    for (const { url } of [project, group])
      for (const row of rows) await make(scene.root, `${url}/variables`, { key: `KEY_${row}`, value: 'value' })
  await nameVariables(world)
  await connectClusters(world)
  await linkGroups(world)
  await make(scene.root, '/features/group_level_protected_environments', { value: true })
  const deploy_access_levels = [{ access_level: 30 }, { access_level: 40 }]
  for (const { project, group } of Object.values(places)) {
    for (const row of rows)
      await make(scene.root, `${project.url}/protected_environments`, { name: `guarded/${row}`, deploy_access_levels })
    for (const name of ['staging', 'other']) await make(scene.root, `${group.url}/protected_environments`, { name, deploy_access_levels })
  }
  for (const { project, things } of Object.values(places)) {
    for (const row of rows) things.environment = (await make(scene.root, `${project.url}/environments`, { name: `review/${row}` })).id
    const deployed = { environment: 'production', sha: things.commit, ref: 'main' }
    for (const row of rows) {
      const status = row % 2 === 0 ? 'success' : 'failed'
      const { id } = await make(scene.root, `${project.url}/deployments`, { ...deployed, status })
      if (status === 'failed') things.deployment = id
    }
    const freeze = { freeze_start: '0 23 * * 5', freeze_end: '0 8 * * 1' }
    for (const _ of rows) things.freeze_period = (await make(scene.root, `${project.url}/freeze_periods`, freeze)).id
    for (const row of rows) {
      const mirror = { url: `https://user:token@git.example.com/copy-${row}.git`, enabled: true }
      things.remote_mirror = (await make(scene.root, `${project.url}/remote_mirrors`, mirror)).id
    }
    for (const row of rows) await make(scene.root, `${project.url}/pages/domains`, { domain: `www-${row}.${project.id}.example.org` })
    await scene.root.put(project.url, { mirror: true })
    for (const row of rows) {
      const lists = `${project.url}/feature_flags_user_lists`
      // No flag names the first one, which is deleted.
      await make(scene.root, lists, { name: `testers ${row}`, user_xids: 'a,b' })
      const list = await make(scene.root, lists, { name: `friends ${row}`, user_xids: 'c,d' })
      const scopes = [{ environment_scope: 'production' }]
      const strategies = [
        { name: 'default', parameters: {}, scopes },
        { name: 'gitlabUserList', parameters: {}, user_list_id: list.id, scopes },
      ]
      await make(scene.root, `${project.url}/feature_flags`, { name: `flag_${row}`, strategies })
    }
    await bringMergeRequests(world, project.id, things)
  }
  const rule = { max_file_size: 100 }
  for (const { project, group } of Object.values(places))
    for (const { url } of [project, group]) await make(scene.root, `${url}/push_rule`, rule)
  await make(scene.root, '/admin/push_rule', rule)
}

/** As the worker notes them; the merge requests are not the matter here, so that they are rows and no more. */
async function bringMergeRequests({ scene }: World, project_id: number, things: Things): Promise<void> {
  const { db } = scene.deps.database
  const deployment_id = things.deployment as number
  const { environment_id } = await db
    .selectFrom('deployments')
    .select('environment_id')
    .where('id', '=', deployment_id)
    .executeTakeFirstOrThrow()
  const merged = { project_id, source_branch: 'gone', target_branch: 'main', author_id: scene.root.id, state: 'merged' } as const
  const brought = await db
    .insertInto('merge_requests')
    .values(rows.map(row => ({ ...merged, iid: 9_000 + row, title: `Merged ${row}`, merged_at: '2020-01-01T00:00:00Z' })))
    .returning('id')
    .execute()
  const noted = brought.map(({ id }) => ({ deployment_id, environment_id, merge_request_id: id }))
  await db.insertInto('deployment_merge_requests').values(noted).execute()
}

/** The ids of variables, which pages have in their addresses and no answer of the API has. */
async function nameVariables({ scene, places, things }: World): Promise<void> {
  const found = await scene.deps.database.db.selectFrom('ci_variables').select(['id', 'project_id', 'namespace_id']).execute()
  things.instance_variable = found.find(({ project_id, namespace_id }) => project_id === null && namespace_id === null)?.id as number
  for (const { project, group, things } of Object.values(places)) {
    things.project_variable = found.find(({ project_id }) => project_id === project.id)?.id as number
    things.group_variable = found.find(({ namespace_id }) => namespace_id === group.id)?.id as number
  }
}

/** Clusters of every holder, each for environments of its own. */
async function connectClusters({ scene, places, things }: World): Promise<void> {
  const cluster = (row: number) => ({
    name: `cluster ${row}`,
    environment_scope: `of-clusters/${row}`,
    platform_kubernetes_attributes: { api_url: 'https://cluster.example.com', token: 'abcdef' },
  })
  for (const row of rows) things.cluster = (await make(scene.root, '/admin/clusters/add', cluster(row))).id
  for (const { project, group, things: own } of Object.values(places))
    for (const row of rows) {
      own.group_cluster = (await make(scene.root, `${group.url}/clusters/user`, cluster(row))).id
      own.project_cluster = (
        await make(scene.root, `${project.url}/clusters/user`, { ...cluster(row), management_project_id: project.id })
      ).id
    }
}

/** Links of groups to a directory that the world has not. */
async function linkGroups({ scene, places }: World): Promise<void> {
  for (const { group, things } of Object.values(places))
    for (const row of rows) {
      const { id } = await scene.deps.database.db
        .insertInto('ldap_group_links')
        .values({ namespace_id: group.id, provider: 'ldapmain', cn: `group-${row}`, access_level: 20 })
        .returning('id')
        .executeTakeFirstOrThrow()
      things.ldap_link = id
    }
}
