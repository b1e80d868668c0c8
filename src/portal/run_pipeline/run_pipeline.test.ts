import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { checkedRows } from './rows.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

const ci = `variables:
  TARGET: { value: staging, description: "Where it <goes>", options: [staging, production] }
  LEVEL: { value: info, description: How much is logged }
  HIDDEN: not asked for
build: { script: [make] }
`

/** A maintainer in a browser, and a project with this CI file. */
async function maintainerOf(text: string) {
  const { project } = await scene.project({})
  await scene.commit(project, { '.gitlab-ci.yml': text })
  const maintainer = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: maintainer.person.id, access_level: 40 })
  return { project, maintainer, address: `/${project.full_path}/-/pipelines/new` }
}

/** The variables that a pipeline was run with. */
async function variablesOf(project: { readonly url: string }, made: { readonly headers: { readonly location?: string } }) {
  const id = made.headers.location?.match(/\d+$/)?.[0]
  const { body } = await scene.root.get(`${project.url}/pipelines/${id}/variables`)
  return body.map(({ key, value, variable_type }: Record<string, string>) => [key, value, variable_type])
}

test('rows without a name and a value are none; a name twice, a wrong one, and a value without one are refused', () => {
  assert.deepEqual(
    checkedRows([
      { key: ' A ', value: '1\r\n2' },
      { key: '', value: '' },
      { key: 'B', value: '', variable_type: 'file' },
    ]),
    [
      { key: 'A', value: '1\n2', variable_type: 'env_var' },
      { key: 'B', value: '', variable_type: 'file' },
    ],
  )
  for (const [rows, says] of [
    [[{ key: 'A' }, { key: 'A' }], /A twice/],
    [[{ key: 'A-B' }], /A-B/],
    [[{ value: 'x' }], /without a name/],
  ] as const)
    assert.throws(
      () => checkedRows(rows),
      (error: { body: unknown }) => says.test(JSON.stringify(error.body)),
    )
})

test('the form asks for the variables that the CI file of the branch describes', async () => {
  const { project, maintainer, address } = await maintainerOf(ci)
  await scene.root.post(`${project.url}/repository/branches`, { branch: 'broken', ref: 'main' })
  await scene.root.put(`${project.url}/repository/files/.gitlab-ci.yml`, {
    branch: 'broken',
    content: 'build: { script: 5 }\n',
    commit_message: 'Break',
  })

  const shown = String((await maintainer.get(address)).body)
  const broken = String((await maintainer.get(`${address}?ref=broken`)).body)
  const nowhere = String((await maintainer.get(`${address}?ref=nowhere`)).body)

  assert.match(shown, /Where it &lt;goes&gt;/)
  assert.match(shown, /<option value="staging" selected>staging<\/option><option value="production">/)
  assert.match(shown, />\ninfo<\/textarea>/)
  assert.doesNotMatch(shown, /HIDDEN/)
  assert.match(broken, /is invalid: jobs:build:script/)
  assert.match(nowhere, /has no branch or tag/)
})

test('a pipeline is run with variables, and what is refused is said at its field, with what was typed', async () => {
  const { project, maintainer, address } = await maintainerOf(ci)
  const rows = [
    ['variables[][key]', 'TARGET'],
    ['variables[][value]', 'production'],
    ['variables[][key]', 'COLOUR'],
    ['variables[][variable_type]', 'file'],
    ['variables[][value]', 'red'],
    ['variables[][key]', ''],
    ['variables[][value]', ''],
  ] as const

  const refused = await maintainer.submit(address, [['ref', 'nowhere'], ...rows])
  const wrong = await maintainer.submit(address, { ref: 'main', 'variables[][key]': 'A-B', 'variables[][value]': '1' })
  const made = await maintainer.submit(address, [['ref', 'main'], ...rows])

  assert.equal(refused.status, 422)
  assert.match(String(refused.body), /id="field-ref-wrong">Branch or tag is no branch or tag of the project/)
  assert.match(String(refused.body), /value="COLOUR"[^>]*>/)
  assert.match(String(refused.body), />\nred<\/textarea>/)
  assert.match(String(wrong.body), /id="variables-wrong">One has a name that is not of letters/)
  assert.equal(made.status, 303)
  assert.deepEqual(await variablesOf(project, made as never), [
    ['TARGET', 'production', 'env_var'],
    ['COLOUR', 'red', 'file'],
  ])
})

test('where the project leaves variables to Maintainers, a Developer runs a pipeline without any', async () => {
  const { project, address } = await maintainerOf(ci)
  await scene.root.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  await scene.root.put(project.url, { restrict_user_defined_variables: true })
  const developer = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: developer.person.id, access_level: 30 })

  const shown = String((await developer.get(address)).body)

  assert.doesNotMatch(shown, /variable-rows/)
  assert.match(shown, /Only Maintainers may give variables/)
  assert.equal((await developer.submit(address, { ref: 'topic' })).status, 303)
})
