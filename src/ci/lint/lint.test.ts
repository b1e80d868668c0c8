/** CI lint API at 14.0: includes from other projects and from other servers. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })

const content = 'build: {script: make}\n'

describe('a text of no project', () => {
  test('is valid or invalid, with what is wrong and everything merged if wanted', async () => {
    const person = await scene.user()

    const valid = await person.post('/ci/lint', { content })
    const merged = await person.post('/ci/lint', { content: '.a: {script: [x]}\nb: {extends: .a}', include_merged_yaml: true })
    const invalid = await person.post('/ci/lint', { content: 'variables: 5\nb: {script: x}' })

    assert.deepEqual(valid, { status: 200, body: { status: 'valid', errors: [], warnings: [] } })
    assert.equal(merged.body.merged_yaml, '---\n.a:\n  script:\n  - x\nb:\n  script:\n  - x\n  extends: .a\n')
    assert.deepEqual(invalid.body, { status: 'invalid', errors: ['variables config should be a hash of key value pairs'], warnings: [] })
  })

  test('tells of its jobs', async () => {
    const person = await scene.user()

    const { body } = await person.post('/ci/lint', { content: 'default: {tags: [t]}\nb: {script: x, when: manual}', include_jobs: true })

    assert.deepEqual(body.jobs, [
      {
        name: 'b',
        stage: 'test',
        before_script: [],
        script: ['x'],
        after_script: [],
        tag_list: ['t'],
        only: { refs: ['branches', 'tags'] },
        except: null,
        environment: null,
        when: 'manual',
        allow_failure: true,
      },
    ])
  })

  test('has no local files', async () => {
    const { body } = await (await scene.user()).post('/ci/lint', { content: 'include: a.yml' })

    assert.deepEqual(body.errors, ['Local file `a.yml` does not have project!'])
  })

  test('is needed', async () => {
    assert.deepEqual(await (await scene.user()).post('/ci/lint'), {
      status: 400,
      body: { message: '400 (Bad request) "content" not given' },
    })
  })
})

describe('the CI file of a project', () => {
  test('is checked where it is, with the files it includes', async () => {
    const { project, developer } = await scene.project({ members: ['developer'] })
    await scene.commit(project, {
      '.gitlab-ci.yml': 'include: ci/*.yml\nbuild: {script: make}\n',
      'ci/test.yml': 'check: {script: test}\n',
    })

    const { status, body } = await developer.get(`${project.url}/ci/lint`)

    assert.deepEqual(
      { status, body },
      {
        status: 200,
        body: { valid: true, errors: [], warnings: [], merged_yaml: '---\ncheck:\n  script: test\nbuild:\n  script: make\n' },
      },
    )
  })

  test('may lie elsewhere in the project, or in another project by its ci_config_path', async () => {
    const { project, maintainer } = await scene.project({ members: ['maintainer'] })
    const { project: other } = await scene.project({ visibility: 'public' })
    await scene.commit(project, { 'ci/main.yml': content })
    await scene.commit(other, { 'a.yml': 'include: b.yml', 'b.yml': 'elsewhere: {script: x}' }, { branch: 'ci' })
    const jobsBy = async (ci_config_path: string) => {
      await maintainer.put(project.url, { ci_config_path })
      const { body } = await maintainer.get(`${project.url}/ci/lint`, { include_jobs: 'true' })
      return body.valid ? body.jobs.map(({ name }: { name: string }) => name) : body.errors
    }

    assert.deepEqual(await jobsBy('ci/main.yml'), ['build'])
    assert.deepEqual(await jobsBy(`a.yml@${other.full_path}:ci`), ['elsewhere'])
    assert.deepEqual(await jobsBy(`a.yml@${other.full_path}:none`), [`Project \`${other.full_path}\` reference \`none\` does not exist!`])
  })

  test('is missing where there is none, and a 404 where there is no commit', async () => {
    const { project, developer } = await scene.project({ members: ['developer'] })

    const empty = await developer.get(`${project.url}/ci/lint`)
    await scene.commit(project, { 'README.md': 'x' })
    const without = await developer.get(`${project.url}/ci/lint`)

    assert.deepEqual(empty, { status: 404, body: { message: '404 Commit Not Found' } })
    assert.deepEqual(without.body, { valid: false, errors: ['Please provide content of .gitlab-ci.yml'], warnings: [], merged_yaml: null })
  })
})

test('a CI file that is too large is reported as too large', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { '.gitlab-ci.yml': `${content}# ${'x'.repeat(1_100_000)}` })

  const { body } = await developer.get(`${project.url}/ci/lint`)

  assert.deepEqual(body.errors, ['.gitlab-ci.yml is larger than 1048576 bytes'])
})

describe('a text for a project', () => {
  test('includes of other projects what the caller may read, and no more', async () => {
    const { project, developer } = await scene.project({ members: ['developer'] })
    const { project: hidden } = await scene.project()
    const { project: open } = await scene.project({ visibility: 'public' })
    for (const other of [hidden, open]) await scene.commit(other, { 'a.yml': 'a: {script: x}' })
    const lint = async (path: string) =>
      (await developer.post(`${project.url}/ci/lint`, { content: `include: {project: ${path}, file: a.yml}` })).body

    assert.equal((await lint(open.full_path)).valid, true)
    assert.deepEqual((await lint(hidden.full_path)).errors, [
      `Project \`${hidden.full_path}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`,
    ])
  })

  test('includes files of other servers, where the rules of outgoing requests let it', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/a.yml') response.end('remote: {script: x}')
      else response.writeHead(302, { location: '/a.yml' }).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    atEnd(async () => {
      server.close()
      server.closeAllConnections()
    })
    const { port } = server.address() as AddressInfo
    const { project, developer } = await scene.project({ members: ['developer'] })
    const lint = async (url: string) =>
      (await developer.post(`${project.url}/ci/lint`, { content: `include: ${url}`, include_jobs: true })).body

    const found = await lint(`http://127.0.0.1:${port}/a.yml`)
    const moved = await lint(`http://127.0.0.1:${port}/b.yml`)
    const inside = await lint('http://10.0.0.1/a.yml')

    assert.deepEqual([found.valid, found.jobs[0].name], [true, 'remote'])
    assert.deepEqual(moved.errors, [
      `Remote file \`http://127.0.0.1:${port}/b.yml\` could not be fetched because of HTTP code \`302\` error!`,
    ])
    assert.deepEqual(inside.errors, [
      'Remote file `http://10.0.0.1/a.yml` could not be fetched: Requests to the local network are not allowed: 10.0.0.1',
    ])
  })

  test('is decided as for a pipeline by a dry run: with the variables, files and reference that it would have', async () => {
    const { project, maintainer } = await scene.project({ members: ['maintainer'] })
    await scene.commit(project, { Dockerfile: 'FROM scratch' })
    await maintainer.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
    await maintainer.post(`${project.url}/variables`, { key: 'DEPLOY', value: 'yes' })
    const text = `
a: {script: x, rules: [{if: $DEPLOY == "yes" && $CI_COMMIT_BRANCH == "main", exists: [Dockerfile], when: manual}]}
b: {script: x, only: [tags]}
`
    const dryRun = async (ref?: string) => {
      const { body } = await maintainer.post(`${project.url}/ci/lint`, { content: text, dry_run: true, include_jobs: true, ref })
      return body.jobs?.map(({ name, when, allow_failure }: Record<string, unknown>) => [name, when, allow_failure]) ?? body.errors
    }

    assert.deepEqual(await dryRun(), [['a', 'manual', false]])
    assert.deepEqual(await dryRun('v1'), [['b', 'on_success', false]])
    assert.deepEqual(await dryRun('none'), ['Reference not found'])
  })

  test('that leaves nothing to run is not valid in a dry run', async () => {
    const { project, developer } = await scene.project({ members: ['developer'] })
    await scene.commit(project, { 'README.md': 'x' })
    const errorsOf = async (text: string) => (await developer.post(`${project.url}/ci/lint`, { content: text, dry_run: true })).body.errors

    assert.deepEqual(await errorsOf('a: {script: x, only: [tags]}'), ['No stages / jobs for this pipeline.'])
    assert.deepEqual(await errorsOf('workflow: {rules: [{when: never}]}\na: {script: x}'), ['Pipeline filtered out by workflow rules.'])
  })
})
