/** What `go get` asks for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { encodeGoGet } from './address.ts'

const scene = await openScene()
const importOf = (body: string) => /name="go-import" content="([^"]*)"/.exec(body)?.[1]

test('an address with go-get=1 is one of its path, and others stay as they are', () => {
  assert.equal(encodeGoGet('/a/b/c?go-get=1'), '/-/go_get/a%2Fb%2Fc')
  assert.equal(encodeGoGet('/a/b/-/x?y=1&go-get=1'), '/-/go_get/a%2Fb%2F-%2Fx')
  for (const address of ['/a/b', '/a/b?go-get=2', '/a?go-get=1', '/api/v4/projects?go-get=1'])
    assert.equal(encodeGoGet(address), undefined, address)
})

test('a package of a project in nested groups leads to its repository', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { group: below } = await scene.group({ parent: group, owner, visibility: 'public' })
  const { project } = await scene.project({ group: below, owner, visibility: 'public', initialize_with_readme: true })
  const host = new URL(scene.url).host

  const { status, body } = await scene.anonymous.get(`${scene.url}/${project.full_path}/pkg/deep?go-get=1`)

  assert.equal(status, 200)
  assert.equal(importOf(body), `${host}/${project.full_path} git ${scene.url}/${project.full_path}.git`)
  assert.match(body, new RegExp(`${project.full_path}/-/tree/main{/dir}`))
})

test('of a private project the first two segments are taken, except by those who may read it', async () => {
  const { group, owner } = await scene.group({ visibility: 'private' })
  const { group: below } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: below, owner, visibility: 'private' })
  const address = `${scene.url}/${project.full_path}?go-get=1`
  const basic = `Basic ${Buffer.from(`${owner.username}:${owner.token}`).toString('base64')}`

  assert.match(String(importOf((await scene.anonymous.get(address)).body)), new RegExp(`/${group.path}/${below.path} git `))
  assert.match(String(importOf((await scene.anonymous.get(`${scene.url}/none/such?go-get=1`)).body)), /\/none\/such git /)
  assert.match(String(importOf((await scene.as({ authorization: basic }).get(address)).body)), new RegExp(`/${project.full_path} git `))
})
