import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { effectiveAmong, type JobFacts, variablesForJob } from './effective.ts'

const job: JobFacts = { projectId: 1, groupIds: [5, 6], environment: 'review/a', isProtected: false }

const set = (value: string, of: { project_id?: number; namespace_id?: number } = {}, environment_scope = '*', isProtected = false) => ({
  key: 'KEY',
  value,
  environment_scope,
  protected: isProtected,
  project_id: null,
  namespace_id: null,
  ...of,
})
const instance = set('instance')
const outer = set('outer', { namespace_id: 5 })
const inner = set('inner', { namespace_id: 6 })
const project = set('project', { project_id: 1 })

const cases: readonly [says: string, ReturnType<typeof set>[], JobFacts, string | undefined][] = [
  ['the project goes before groups and the instance', [project, inner, outer, instance], job, 'project'],
  ['the inner group goes before the outer one', [inner, outer, instance], job, 'inner'],
  ['groups go before the instance', [outer, instance], job, 'outer'],
  ['the instance where nothing else is', [instance], job, 'instance'],
  ['a scope that fits goes before `*`', [set('review', { project_id: 1 }, 'review/*'), project], job, 'review'],
  [
    'the very name goes before a pattern',
    [set('name', { project_id: 1 }, 'review/a'), set('review', { project_id: 1 }, 'review/*')],
    job,
    'name',
  ],
  ['more of the name goes before less', [set('more', { project_id: 1 }, 'review/*'), set('less', { project_id: 1 }, 'r*')], job, 'more'],
  ['nearness goes before scopes', [project, set('inner', { namespace_id: 6 }, 'review/a')], job, 'project'],
  ['a scope of another environment does not count', [set('qa', { project_id: 1 }, 'qa')], job, undefined],
  ['without an environment only `*` counts', [set('x', { project_id: 1 }, 'r*'), outer], { ...job, environment: undefined }, 'outer'],
  ['what is protected is for protected branches alone', [set('x', { project_id: 1 }, '*', true), outer], job, 'outer'],
  ['what is protected is for protected branches', [set('x', { project_id: 1 }, '*', true), outer], { ...job, isProtected: true }, 'x'],
]

test('of several variables of a key the nearest and closest one counts', () => {
  for (const [says, variables, facts, expected] of cases) {
    assert.equal(effectiveAmong(variables, facts)[0]?.value, expected, says)
    assert.equal(effectiveAmong([...variables].reverse(), facts)[0]?.value, expected, `${says}, in whatever order`)
  }
})

test('a job is given what is set above its project and in it', async () => {
  const scene = await openScene()
  const { group: top, owner } = await scene.group()
  const { group } = await scene.group({ parent: top, owner })
  const { project } = await scene.project({ group, owner })
  const { group: other } = await scene.group({ owner })
  await scene.root.post('/admin/ci/variables', { key: 'A', value: 'instance' })
  await scene.root.post('/admin/ci/variables', { key: 'B', value: 'instance', variable_type: 'file' })
  await owner.post(`${other.url}/variables`, { key: 'B', value: 'other' })
  await owner.post(`${top.url}/variables`, { key: 'A', value: 'top' })
  await owner.post(`${project.url}/variables`, { key: 'C', value: 'of-the-project', masked: true })

  const facts = { projectId: project.id, groupIds: [top.id, group.id], environment: undefined, isProtected: false }
  const given = await variablesForJob({ db: scene.deps.database.db, deps: scene.deps }, facts)

  assert.deepEqual(
    given.map(variable => ({ ...variable, value: variable.value.reveal() })).sort((a, b) => (a.key < b.key ? -1 : 1)),
    [
      { key: 'A', value: 'top', variable_type: 'env_var', masked: false, raw: false },
      { key: 'B', value: 'instance', variable_type: 'file', masked: false, raw: false },
      { key: 'C', value: 'of-the-project', variable_type: 'env_var', masked: true, raw: false },
    ],
  )
})
