/** Tokens of jobs for other services: what they say, and that a standard library verifies them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

interface Given {
  readonly key: string
  readonly value: string
  readonly masked: boolean
  readonly public: boolean
}

/** The variables that a runner of a new project gets for the one job of this CI file. */
async function given(file: string, { visibility = 'private', settings = {} }: { visibility?: 'private'; settings?: object } = {}) {
  const { project, owner } = await scene.project({ visibility })
  await owner.put(project.url, settings)
  await scene.commit(project, { '.gitlab-ci.yml': file })
  const { runners_token } = (await owner.get(project.url)).body
  const runner = (await scene.anonymous.post('/runners', { token: runners_token, run_untagged: true })).body
  const pipeline = (await owner.post(`${project.url}/pipeline`, { ref: 'main' })).body
  const { body } = await scene.anonymous.post('/jobs/request', { token: runner.token, info: { features: { variables: true } } })
  const variables = new Map((body.variables as Given[]).map(each => [each.key, each]))
  return { project, owner, runner, pipeline, body, variables }
}

const keys = createRemoteJWKSet(new URL(`${scene.url}/oauth/discovery/keys`))
const lifeOf = ({ exp = 0, iat = 0 }: JWTPayload) => exp - iat

describe('the token that every job has', () => {
  test('names the job, its reference and its user, and lives as long as the job may run (14.0)', async () => {
    const { project, owner, pipeline, body, variables, runner } = await given('build: {script: [make], timeout: 20 minutes}')
    const token = variables.get('CI_JOB_JWT') as Given

    const { payload, protectedHeader } = await jwtVerify(token.value, keys, { issuer: new URL(scene.url).host })

    assert.deepEqual([token.masked, token.public, protectedHeader.alg], [true, false, 'RS256'])
    assert.equal(variables.get('CI_JOB_JWT_V1')?.value, token.value)
    assert.equal(lifeOf(payload), 1200)
    assert.equal((payload.iat as number) - (payload.nbf as number), 5)
    const { iat, nbf, exp, jti, namespace_id, ...claims } = payload
    assert.match(String(jti), /^[0-9a-f-]{36}$/)
    assert.match(String(namespace_id), /^\d+$/)
    const full_path = (await owner.get(project.url)).body.path_with_namespace
    const { email } = (await owner.get('/user')).body
    assert.deepEqual(claims, {
      iss: new URL(scene.url).host,
      sub: `job_${body.id}`,
      namespace_path: full_path.split('/').slice(0, -1).join('/'),
      project_id: String(project.id),
      project_path: full_path,
      project_visibility: 'private',
      user_id: String(owner.id),
      user_login: owner.username,
      user_email: email,
      pipeline_id: String(pipeline.id),
      pipeline_source: 'api',
      job_id: String(body.id),
      ref: 'main',
      ref_type: 'branch',
      ref_path: 'refs/heads/main',
      ref_protected: 'true',
      sha: pipeline.sha,
      ci_config_ref_uri: `${new URL(scene.url).host}/${full_path}//.gitlab-ci.yml@refs/heads/main`,
      ci_config_sha: pipeline.sha,
      runner_id: runner.id,
      runner_environment: 'self-hosted',
    })
  })

  test('has a second form, for the instance as its audience', async () => {
    const { variables, project, owner } = await given('build: {script: [make]}')
    const full_path = (await owner.get(project.url)).body.path_with_namespace

    const { payload } = await jwtVerify((variables.get('CI_JOB_JWT_V2') as Given).value, keys, { issuer: scene.url, audience: scene.url })

    assert.equal(payload.sub, `project_path:${full_path}:ref_type:branch:ref:main`)
  })

  test('says its environment, and whether that is protected', async () => {
    const { variables } = await given('deploy: {script: [make], environment: {name: production, action: prepare}}')
    const { environment, environment_protected, deployment_tier, environment_action } = decodeJwt(
      (variables.get('CI_JOB_JWT') as Given).value,
    )
    assert.deepEqual(
      [environment, environment_protected, deployment_tier, environment_action],
      ['production', 'false', 'production', 'prepare'],
    )
  })
})

describe('id_tokens', () => {
  const file = `
variables: {CLOUD: "https://cloud.example.com"}
build:
  script: [make]
  id_tokens:
    CLOUD_TOKEN: {aud: $CLOUD}
    OTHER_TOKEN: {aud: [https://one.example.com, "two-$CI_COMMIT_REF_NAME"]}
`

  test('are variables with a token for the audience that the file names, in place of those that every job has', async () => {
    const { variables } = await given(file)
    const [cloud, other] = ['CLOUD_TOKEN', 'OTHER_TOKEN'].map(key => variables.get(key) as Given) as [Given, Given]

    const { payload } = await jwtVerify(cloud.value, keys, { issuer: scene.url, audience: 'https://cloud.example.com' })

    assert.deepEqual([cloud.masked, cloud.public, other.masked], [true, false, true])
    assert.equal(payload.aud, 'https://cloud.example.com')
    assert.deepEqual(decodeJwt(other.value).aud, ['https://one.example.com', 'two-main'])
    await assert.rejects(jwtVerify(other.value, keys, { audience: 'https://cloud.example.com' }))
    assert.deepEqual(
      [...variables.keys()].filter(key => key.startsWith('CI_JOB_JWT')),
      [],
    )
  })

  test('can be said for all jobs by default, which a job turns off', async () => {
    const { variables } = await given('default: {id_tokens: {ALL: {aud: a}}}\nbuild: {script: [make]}')
    assert.equal(decodeJwt((variables.get('ALL') as Given).value).aud, 'a')
    const without = await given('default: {id_tokens: {ALL: {aud: a}}}\nbuild: {script: [make], inherit: {default: false}}')
    assert.deepEqual([without.variables.has('ALL'), without.variables.has('CI_JOB_JWT')], [false, true])
  })

  for (const [wrong, words] of [
    ['[TOKEN]', 'jobs:build:id_tokens config should be a hash'],
    ['{TOKEN: {}}', 'jobs:build:id_tokens:TOKEN config should have a aud'],
    ['{TOKEN: {aud: [1]}}', 'jobs:build:id_tokens:TOKEN:aud config should be a string or an array of at most 20 strings'],
    ['{TOKEN: {aud: a, sub: root}}', 'jobs:build:id_tokens:TOKEN config contains unknown keys: sub'],
    ['{"A B": {aud: a}}', 'jobs:build:id_tokens config should have names of variables: A B'],
  ] as const)
    test(`${wrong} is refused`, async () => {
      const answer = await scene.root.post('/ci/lint', { content: `build: {script: [make], id_tokens: ${wrong}}` })
      assert.deepEqual(answer.body.errors, [words])
    })
})
