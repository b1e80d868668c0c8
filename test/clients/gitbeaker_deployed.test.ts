/** gitbeaker (`@gitbeaker/rest`) as npm has it: variables, environments, deployments, and when and by whom they are made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { openScene } from '../scene.ts'

const scene = await openScene()
const client = new Gitlab({ host: scene.url, token: scene.root.token })

/** Passes when `work` is refused with this status. */
const refused = (work: Promise<unknown>, status: number) =>
  assert.rejects(work, error => error instanceof GitbeakerRequestError && error.cause?.response.status === status)

test('variables of the instance are created, read and changed, and the limit of their number is shown', async () => {
  const { InstanceLevelCICDVariables: variables, ApplicationPlanLimits: limits } = client
  await variables.create('TOKEN', 'long-enough', { masked: true })
  assert.equal((await variables.show('TOKEN')).masked, true)
  assert.equal((await variables.edit('TOKEN', 'longer-still', { variableType: 'file' })).variable_type, 'file')
  assert.equal((await variables.all()).length, 1)
  assert.equal((await limits.show()).ci_instance_level_variables, 25)
  // The library's own `remove` sends a GET.
  await scene.root.delete('/admin/ci/variables/TOKEN')
  await refused(variables.show('TOKEN'), 404)
})

test('variables of projects and groups are created, read, changed and deleted', async () => {
  const { group } = await scene.group({ owner: scene.root })
  const { project } = await scene.project({ owner: scene.root })
  for (const [variables, id] of [
    [client.ProjectVariables, project.id],
    [client.GroupVariables, group.id],
  ] as const) {
    const filter = { environment_scope: 'qa' }
    await variables.create(id, 'TOKEN', 'for all')
    await variables.create(id, 'TOKEN', 'for qa', { environmentScope: 'qa', protected: true })
    assert.equal((await variables.show(id, 'TOKEN', { filter })).value, 'for qa')
    assert.equal((await variables.edit(id, 'TOKEN', 'for qa alone', { filter, masked: false })).value, 'for qa alone')
    assert.equal((await variables.all(id)).length, 2)
    await variables.remove(id, 'TOKEN', { filter })
    assert.equal((await variables.show(id, 'TOKEN')).value, 'for all')
  }
})

test('environments and deployments are created, read, changed and deleted', async () => {
  const { project } = await scene.project({ owner: scene.root })
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  const { Environments, Deployments } = client
  const environment = await Environments.create(project.id, 'review/1', { externalUrl: 'https://1.example.com', tier: 'testing' })
  assert.equal((await Environments.edit(project.id, environment.id, { tier: 'staging' })).tier, 'staging')
  const [found] = await Environments.all(project.id, { search: 'review' })
  assert.equal(found?.id, environment.id)
  const first = await Deployments.create(project.id, 'review/1', sha, 'main', false, { status: 'running' })
  assert.equal((await Deployments.edit(project.id, first.id, 'success')).status, 'success')
  assert.equal((await Environments.show(project.id, environment.id)).last_deployment?.id, first.id)
  const second = await Deployments.create(project.id, 'review/1', sha, 'main', false, { status: 'success' })
  assert.deepEqual(
    (await Deployments.all(project.id, { environment: 'review/1', sort: 'desc' })).map(({ id }) => id),
    [second.id, first.id],
  )
  assert.deepEqual(await Deployments.allMergeRequests(project.id, second.id), [])
  await Deployments.remove(project.id, first.id)
  await refused(Deployments.show(project.id, first.id), 404)
  assert.equal((await Environments.stop(project.id, environment.id)).state, 'stopped')
  await Environments.remove(project.id, environment.id)
  await refused(Environments.show(project.id, environment.id), 404)
})

test('environments are protected by projects and groups', async () => {
  const { group } = await scene.group({ owner: scene.root })
  const { project } = await scene.project({ owner: scene.root })
  await scene.root.post('/features/group_level_protected_environments', { value: true })
  for (const [environments, id] of [
    [client.ProjectProtectedEnvironments, project.id],
    [client.GroupProtectedEnvironments, group.id],
  ] as const) {
    const created = await environments.create(id, 'production', [{ accessLevel: 40 }] as never)
    assert.equal(created.deploy_access_levels?.[0]?.access_level, 40)
    assert.equal((await environments.show(id, 'production')).name, 'production')
    assert.equal((await environments.all(id)).length, 1)
    await environments.remove(id, 'production')
    await refused(environments.show(id, 'production'), 404)
  }
})

test('freeze periods are created, read, changed and deleted', async () => {
  const { project } = await scene.project({ owner: scene.root })
  const { FreezePeriods } = client
  const { id } = await FreezePeriods.create(project.id, '0 23 * * 5', '0 7 * * 1', { cronTimezone: 'Europe/Berlin' })
  assert.equal((await FreezePeriods.show(project.id, id)).cron_timezone, 'Europe/Berlin')
  assert.equal((await FreezePeriods.edit(project.id, id, { freezeEnd: '0 8 * * 1' })).freeze_end, '0 8 * * 1')
  assert.equal((await FreezePeriods.all(project.id)).length, 1)
  await FreezePeriods.remove(project.id, id)
  await refused(FreezePeriods.show(project.id, id), 404)
})

test('domains of sites are added, read, changed and removed, and administrators see all', async () => {
  const { project } = await scene.project({ owner: scene.root })
  const { PagesDomains: domains, GitlabPages: pages } = client
  const domain = 'beaker.example.org'
  assert.deepEqual(await domains.all({ projectId: project.id }), [])
  const added = await domains.create(project.id, domain)
  assert.deepEqual([added.domain, added.url, added.auto_ssl_enabled], [domain, `http://${domain}`, false])
  assert.equal((await domains.edit(project.id, domain, { autoSslEnabled: 'true' })).auto_ssl_enabled, true)
  assert.equal((await domains.show(project.id, domain)).domain, domain)
  assert.deepEqual(
    (await domains.all()).map(each => [each.domain, each.project_id]),
    [[domain, project.id]],
  )
  await domains.remove(project.id, domain)
  await refused(domains.show(project.id, domain), 404)
  await pages.remove(project.id)
})
