/** Caches of protected references against jobs of all others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { expand } from '../../../platform/expansion/expand.ts'
import { registered } from '../scene.ts'

const scene = await openScene()

interface Handed {
  readonly cache: readonly { readonly key: string }[]
  readonly variables: readonly { readonly key: string; readonly value: string }[]
}

/** What the runner of the project is handed after a push of this CI file to a branch; keys as the runner expands them. */
async function handedOut(project: SceneProject, person: Person, branch: string, caches: readonly object[], variables: object = {}) {
  const config = JSON.stringify({ variables, build: { script: ['make'], cache: caches } })
  const made = await person.post(`${project.url}/repository/commits`, {
    branch,
    ...(branch === 'main' ? {} : { start_branch: 'main' }),
    commit_message: 'Change the CI file',
    actions: [{ action: branch === 'main' ? 'create' : 'update', file_path: '.gitlab-ci.yml', content: config }],
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const pipeline = await person.post(`${project.url}/pipeline`, { ref: branch })
  assert.equal(pipeline.status, 201, JSON.stringify(pipeline.body))
  const handed = (await (await registered(scene, { project })).ask()).body as Handed
  const known = handed.variables.map(each => ({ ...each, raw: true }))
  return {
    keys: handed.cache.map(({ key }) => expand(key, known)),
    fallback: handed.variables.find(({ key }) => key === 'CACHE_FALLBACK_KEY')?.value,
  }
}

test('no key that a Developer can write names a cache of a protected branch', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'], initialize_with_readme: true })
  const files = { files: ['README.md'], prefix: 'main' }

  const guarded = await handedOut(project, owner, 'main', [
    { key: 'main', paths: ['a'] },
    { key: '', paths: ['b'] },
    { key: files, paths: ['c'] },
  ])
  const chosen = ['main', 'main-protected', '$STOLEN', `$STOLEN$NOTHING`]
  const variables = { STOLEN: 'main-protected', CACHE_FALLBACK_KEY: 'main-protected' }
  const open: string[] = []
  for (const keys of [chosen, ['default', 'default-protected', '${', files]])
    open.push(
      ...(
        await handedOut(
          project,
          developer as Person,
          `side-${open.length}`,
          keys.map(key => ({ key, paths: ['a'] })),
          variables,
        )
      ).keys,
    )
  const { fallback } = await handedOut(project, developer as Person, 'fallback', [{ paths: ['a'] }], variables)

  assert.equal(guarded.keys.length, 3)
  assert.equal(open.length, 8)
  assert.ok(
    guarded.keys.every(key => key.endsWith('-protected')),
    guarded.keys.join(),
  )
  assert.deepEqual(
    [...open, fallback as string].filter(key => guarded.keys.includes(key) || !key.endsWith('-non_protected')),
    [],
  )
})

test('a project can have its references share their caches, and the fallback key is as it was written then', async () => {
  const { project, owner } = await scene.project({ initialize_with_readme: true })
  const before = (await owner.get(project.url)).body.ci_separated_caches
  await owner.put(project.url, { ci_separated_caches: false })

  const { keys, fallback } = await handedOut(project, owner, 'main', [{ key: 'deps', paths: ['a'] }], { CACHE_FALLBACK_KEY: 'older' })

  assert.deepEqual([before, keys, fallback], [true, ['deps'], 'older'])
})

test('a fallback key of a protected branch names no cache that others write', async () => {
  const { project, owner } = await scene.project({ initialize_with_readme: true })

  const { fallback } = await handedOut(project, owner, 'main', [{ paths: ['a'] }], { CACHE_FALLBACK_KEY: 'deps-non_protected' })

  assert.equal(fallback, 'deps-non_protected-protected')
})
