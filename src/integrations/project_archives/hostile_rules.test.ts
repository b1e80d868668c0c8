/** Archives whose rules of registries are odd, or too many. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { archiveWith, imported } from './scene.ts'

const scene = await openScene()
const owner = await scene.user()

test('rules of registries come in once each and as many as a project may have; what was left out is said', async () => {
  const levels = { minimum_access_level_for_push: 40, minimum_access_level_for_delete: null }
  const named = (package_name_pattern: string, more: object = {}) => ({ package_name_pattern, package_type: 'npm', ...levels, ...more })
  const many = Array.from({ length: 98 }, (_, index) => named(`thing-${index}`))
  const odd = [
    named('cobol', { package_type: 'cobol' }),
    named('guests', { minimum_access_level_for_push: 10 }),
    named('nothing', { minimum_access_level_for_push: null }),
    named(''),
  ]
  const again = [named('@team/*'), named('@team/*', { minimum_access_level_for_push: 50 })]
  const { url, state } = await imported(
    scene,
    owner,
    await archiveWith({
      'tree/project/package_protection_rules.ndjson': [...again, ...odd, ...many, named('one too many'), named('last')],
      'tree/project/container_protection_rules.ndjson': [
        { name_pattern: '/App*', ...levels },
        { name_pattern: 'beside', ...levels },
      ],
      'tree/project/container_tag_protection_rules.ndjson': [
        { tag_name_pattern: '^v', minimum_access_level_for_push: null, minimum_access_level_for_delete: null },
        { tag_name_pattern: '^w', minimum_access_level_for_push: 40, minimum_access_level_for_delete: 50 },
        { tag_name_pattern: '^x', minimum_access_level_for_push: 40, minimum_access_level_for_delete: null },
        { tag_name_pattern: '(', minimum_access_level_for_push: null, minimum_access_level_for_delete: null },
      ],
      'tree/project/container_expiration_policy.ndjson': [{ enabled: true, cadence: '1d', name_regex: '(' }],
    }),
  )
  assert.equal(state.import_status, 'finished')
  const { body, headers } = await owner.get(`${url}/packages/protection/rules`)
  assert.deepEqual([headers['x-total'], body[0].package_name_pattern, body[0].minimum_access_level_for_push], ['100', '@team/*', 'owner'])
  const images = (await owner.get(`${url}/registry/protection/repository/rules`)).body
  assert.deepEqual(
    images.map(({ repository_path_pattern }: { repository_path_pattern: string }) => repository_path_pattern.replace(/^.*\//, '')),
    ['app*'],
  )
  const tags = (await owner.get(`${url}/registry/protection/tag/rules`)).body
  assert.deepEqual(
    tags.map(({ tag_name_pattern, immutable }: { tag_name_pattern: string; immutable: boolean }) => [tag_name_pattern, immutable]),
    [
      ['^v', true],
      ['^w', false],
    ],
  )
  assert.deepEqual(
    state.failed_relations.map((failed: { relation_name: string; source: string }) => [failed.relation_name, failed.source]),
    [
      ['package_protection_rules', '5 rules'],
      ['container_protection_rules', '1 rules'],
      ['container_tag_protection_rules', '2 rules'],
    ],
  )
  assert.deepEqual((await owner.get(url)).body.container_expiration_policy.name_regex, '.*')
})
