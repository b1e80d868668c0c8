/** What a check of a CI file tells of the variables that are set for a project, its groups and the instance. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../test/at_end.ts'
import { openScene } from '../../../test/scene.ts'
import { pipelineIn } from '../runner_protocol/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })

const secrets = { PROJECT_KEY: 's3cr3t-of-the-project', GROUP_KEY: 's3cr3t-of-the-group', INSTANCE_KEY: 's3cr3t-of-the-instance' }
await scene.root.post('/admin/ci/variables', { key: 'INSTANCE_KEY', value: secrets.INSTANCE_KEY, protected: true, masked: true })

/** Paths that a server was asked for. */
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.writeHead(404).end()
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
atEnd(async () => {
  server.close()
  server.closeAllConnections()
})
const { port } = server.address() as AddressInfo

/** A project whose default branch is protected, with protected variables at every level. */
async function guarded({ developers = 'none' }: { readonly developers?: 'none' | 'merge' } = {}) {
  const { group, owner } = await scene.group()
  const { project, developer, maintainer } = await scene.project({ group, owner, members: ['developer', 'maintainer'] })
  await scene.commit(project, { '.gitlab-ci.yml': 'include: /$PROJECT_KEY.txt\n', Dockerfile: 'FROM scratch' })
  await owner.delete(`${project.url}/protected_branches/main`)
  await owner.post(`${project.url}/protected_branches`, {
    name: 'main',
    push_access_level: 40,
    merge_access_level: developers === 'merge' ? 30 : 40,
  })
  await owner.post(`${project.url}/variables`, { key: 'PROJECT_KEY', value: secrets.PROJECT_KEY, protected: true, masked: true })
  await owner.post(`${group.url}/variables`, { key: 'GROUP_KEY', value: secrets.GROUP_KEY, protected: true, masked: true })
  return { project, developer, maintainer }
}

const assertNoSecret = (answer: unknown) => {
  for (const secret of Object.values(secrets)) assert.ok(!JSON.stringify(answer).includes(secret), JSON.stringify(answer))
}

/** Each puts a value where a message could repeat it. */
const echoes = (key: string): string[] => [
  `include: /$${key}.txt`,
  `include: /$${key}.yml`,
  `include: "$${key}*.yml"`,
  `include: {local: "/\${${key}}"}`,
  `include: {remote: $${key}}`,
  `include: {remote: "https://127.0.0.1:1/$${key}.yml"}`,
  `include: {remote: "http://$${key}.invalid/a.yml"}`,
  `include: {remote: "http://127.0.0.1:${port}/$${key}.yml"}`,
  `include: {template: $${key}}`,
  `include: {component: $${key}}`,
  `include: {project: $${key}, file: a.yml}`,
  `include: {project: a/$${key}, file: a.yml}`,
  `include: {project: a/b, file: $${key}}`,
  `include: {project: a/b, file: $${key}.yml, ref: $${key}}`,
  `include: [{local: a.yml, rules: [{if: $${key} =~ /(/}]}]`,
  `a: {script: x, environment: {name: $${key}, url: "https://$${key}"}, tags: [$${key}], resource_group: $${key}, rules: [{if: $${key}}]}`,
]

describe('a Developer who may not run pipelines on the protected branch', () => {
  test('reads no value in what a check answers, however the file asks for it', async () => {
    const { project, developer } = await guarded()
    asked.length = 0

    for (const key of Object.keys(secrets))
      for (const content of echoes(key))
        for (const dry_run of [false, true])
          assertNoSecret(await developer.post(`${project.url}/ci/lint`, { content, dry_run, include_jobs: true, ref: 'main' }))
    assertNoSecret(await developer.get(`${project.url}/ci/lint`))

    assert.deepEqual([...new Set(asked)], ['/.yml'])
  })

  test('gets the same answer whether what a rule guesses is right or wrong', async () => {
    const { project, developer } = await guarded()
    const answerTo = async (key: string, pattern: string, dry_run: boolean) => {
      const content = `include: [{local: none.yml, rules: [{if: '$${key} =~ /${pattern}/'}]}]\na: {script: x, rules: [{if: '$${key} =~ /${pattern}/'}]}\nb: {script: x}`
      const { body } = await developer.post(`${project.url}/ci/lint`, { content, dry_run, include_jobs: true })
      return JSON.stringify(body).replaceAll(pattern, 'guess')
    }

    for (const key of Object.keys(secrets))
      for (const dry_run of [false, true]) assert.equal(await answerTo(key, '^s3', dry_run), await answerTo(key, '^wrong', dry_run))
  })

  test('gets a warning that the check knows no variables, if the file uses some', async () => {
    const { project, developer, maintainer } = await guarded()
    const warningsFor = async (person: typeof developer, content: string) =>
      (await person.post(`${project.url}/ci/lint`, { content })).body.warnings

    assert.deepEqual(await warningsFor(developer, 'a: {script: x, rules: [{if: $PROJECT_KEY}]}'), [
      'CI/CD variables are left out of this check: you may not run it on `main`',
    ])
    assert.deepEqual(await warningsFor(developer, 'a: {script: x}'), [])
    assert.deepEqual(await warningsFor(maintainer, 'a: {script: x, rules: [{if: $PROJECT_KEY}]}'), [])
  })

  test('is judged by the variables of a branch that is theirs to push to', async () => {
    const { project, developer, maintainer } = await guarded()
    await maintainer.post(`${project.url}/variables`, { key: 'OPEN', value: 'yes' })
    await developer.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
    const content = 'a: {script: x, rules: [{if: $OPEN == "yes"}]}\nb: {script: x, rules: [{if: $PROJECT_KEY}]}'

    const { body } = await developer.post(`${project.url}/ci/lint`, { content, dry_run: true, include_jobs: true, ref: 'topic' })

    assert.deepEqual([body.jobs.map(({ name }: { name: string }) => name), body.warnings], [['a'], []])
  })
})

test('a Developer who may merge into the branch, but not push to it, cannot have a file of their own judged by its variables', async () => {
  const { project, developer } = await guarded({ developers: 'merge' })
  await developer.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  const content = 'a: {script: x, rules: [{if: $PROJECT_KEY}]}'

  const { body } = await developer.post(`${project.url}/ci/lint`, { content, dry_run: true })
  const committed = await developer.get(`${project.url}/ci/lint`)
  const pipeline = await developer.post(`${project.url}/pipeline`, { ref: 'main' })

  assert.deepEqual(body.errors, ['No stages / jobs for this pipeline.'])
  assert.deepEqual(committed.body.errors, ['Included file `$PROJECT_KEY.txt` does not have YAML extension!'])
  assert.deepEqual(pipeline, {
    status: 400,
    body: { message: { base: ['Included file `$PROJECT_KEY.txt` does not have YAML extension!'] } },
  })
})

describe('a Maintainer, who may run anything there', () => {
  test('has files judged by the values, which no message repeats', async () => {
    const { project, maintainer } = await guarded()
    asked.length = 0

    for (const key of Object.keys(secrets))
      for (const content of echoes(key)) assertNoSecret(await maintainer.post(`${project.url}/ci/lint`, { content, dry_run: true }))
    const { body } = await maintainer.post(`${project.url}/ci/lint`, {
      content: 'a: {script: x, rules: [{if: "$PROJECT_KEY =~ /^s3/ && $GROUP_KEY =~ /^s3/ && $INSTANCE_KEY =~ /^s3/"}]}',
      dry_run: true,
      include_jobs: true,
    })

    assert.deepEqual(body.errors, [])
    assert.deepEqual(
      asked.sort(),
      Object.values(secrets)
        .map(secret => `/${secret}.yml`)
        .sort(),
    )
  })

  test('leaves no value in the errors of a pipeline that everybody can see', async () => {
    const { project, maintainer } = await guarded()

    for (const content of echoes('PROJECT_KEY')) {
      await maintainer.put(`${project.url}/repository/files/.gitlab-ci.yml`, { branch: 'main', content, commit_message: 'x' })
      assertNoSecret(await maintainer.post(`${project.url}/pipeline`, { ref: 'main' }))
    }
    assertNoSecret(await maintainer.get(`${project.url}/pipelines`))
  })
})

test('errors that were kept before no longer show names, once the database is migrated', async () => {
  const { project, maintainer } = await guarded()
  const id = await pipelineIn(scene, project)
  const { db } = scene.deps.database
  const errors = `Included file \`${secrets.PROJECT_KEY}.txt\` does not have YAML extension!, jobs:a config contains unknown keys: b`
  await db.updateTable('pipelines').set({ status: 'failed', yaml_errors: errors }).where('id', '=', id).execute()
  const migration = join(import.meta.dirname, '../../platform/db/migrations/0075_names_in_yaml_errors.sql')

  await sql.raw(await readFile(migration, 'utf8')).execute(db)

  const { body } = await maintainer.get(`${project.url}/pipelines/${id}`)
  assert.equal(body.yaml_errors, 'Included file `[removed]` does not have YAML extension!, jobs:a config contains unknown keys: b')
})
