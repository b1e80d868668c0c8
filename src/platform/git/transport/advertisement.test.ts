import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { git, importCommits, openScene } from '../scene.ts'
import { advertiseRefs } from './upload-pack.ts'

test('an advertisement announces its service except by protocol version 2', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(repository, 'main', [{}])
  const start = async (...[service, options]: [Parameters<typeof advertiseRefs>[1], Parameters<typeof advertiseRefs>[2]]) =>
    (await buffer(advertiseRefs(repository, service, options))).toString('latin1').slice(0, 34)
  assert.match(await start('git-upload-pack', { framing: 'http' }), /^001e# service=git-upload-pack\n0000/)
  assert.match(await start('git-upload-pack', { framing: 'http', protocol: 'version=2' }), /^000eversion 2/)
  assert.match(await start('git-receive-pack', { framing: 'http', protocol: 'version=2' }), /^001f# service=git-receive-pack/)
  assert.match(await start('git-receive-pack', { framing: 'plain' }), /^[0-9a-f]{34}$/)
})

test('an advertisement asks for whole packs where thin ones are refused, whatever else is in it', async () => {
  await using scene = await openScene()
  const [empty, repository] = [await scene.repository(), await scene.repository()]
  const head = importCommits(repository, 'main', [{}])
  git(
    repository,
    ['update-ref', '--stdin'],
    Array.from({ length: 3_000 }, (_, index) => `create refs/heads/topic-${index} ${head}\n`).join(''),
  )
  for (const target of [empty, repository])
    for (const protocol of [undefined, 'version=1']) {
      const options = { framing: 'http', protocol } as const
      const plain = (await buffer(advertiseRefs(target, 'git-receive-pack', options))).toString('latin1')
      const whole = (await buffer(advertiseRefs(target, 'git-receive-pack', { ...options, refusesThin: true }))).toString('latin1')
      const [, length = '', line = ''] = /([0-9a-f]{4})([0-9a-f]{40} [^\n]*\0[^\n]*)\n/.exec(plain) ?? []
      const longer = (Number.parseInt(length, 16) + ' no-thin'.length).toString(16).padStart(4, '0')
      assert.equal(
        whole,
        plain.replace(length + line, () => `${longer}${line} no-thin`),
      )
    }
})
