/** What accounts, projects and applications authenticate with, in the world. */

import { createHash } from 'node:crypto'
import { newGpgKey } from '../../src/identity/gpg_keys/scene.ts'
import type { Person } from '../scene.ts'
import { make, rows } from './making.ts'
import type { World } from './world.ts'

/** Keys and addresses of accounts. */
export async function keysAndEmails({ scene, people, own, other, things }: World): Promise<void> {
  const { root } = scene
  let number = 0
  const nextKey = () => ({ title: `Key ${++number}`, key: sshKey(number) })
  for (const [name, person] of Object.entries(people)) {
    const mine = own[name] as Record<string, number>
    for (const row of person === root ? rows : [0]) {
      mine.key = (await make(person, '/user/keys', nextKey())).id
      mine.gpg_key = (await make(person, '/user/gpg_keys', { key: newGpgKey() })).id
      mine.email = (await make(person, '/user/emails', { email: `${name}-${row}@work.example.com` })).id
    }
  }
  for (const row of rows) {
    const key = nextKey()
    things.key = (await make(root, `/users/${other.id}/keys`, key)).id
    things.fingerprint = `SHA256:${createHash('sha256')
      .update(Buffer.from(key.key.split(' ')[1] as string, 'base64'))
      .digest('base64')
      .replace('=', '')}`
    things.gpg_key = (await make(root, `/users/${other.id}/gpg_keys`, { key: newGpgKey() })).id
    things.email = (await make(root, `/users/${other.id}/emails`, { email: `other-${row}@work.example.com` })).id
  }
}

/** Keys and tokens that deploy. */
export async function deployments({ scene, places, things }: World): Promise<void> {
  const token = { name: 'Mirror', scopes: ['read_repository'] }
  let number = 128
  for (const row of rows) {
    for (const { project, group, things: here } of Object.values(places)) {
      const own = { title: `Deploy key ${row}`, key: sshKey(number++), can_push: true }
      here.deploy_key = (await make(scene.root, `${project.url}/deploy_keys`, own)).id
      here.deploy_token = (await make(scene.root, `${project.url}/deploy_tokens`, token)).id
      here.group_deploy_token = (await make(scene.root, `${group.url}/deploy_tokens`, token)).id
    }
    const key = { title: `Deploy key ${row}`, key: sshKey(number++) }
    things.public_deploy_key = (await make(scene.root, '/deploy_keys', key)).id
  }
}

/** An ed25519 public key: a type and 32 bytes, each behind its length. */
function sshKey(number: number): string {
  const point = Buffer.alloc(32, number)
  const parts = [Buffer.from('ssh-ed25519'), point].flatMap(part => [Buffer.from([0, 0, 0, part.length]), part])
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')} example`
}

/** Tokens of people, projects and groups. */
export async function tokens({ scene, people, own, other, places, things }: World): Promise<void> {
  for (const [name, person] of Object.entries(people) as [string, Person][])
    (own[name] as Record<string, number>).token = (await person.get('/personal_access_tokens/self')).body.id
  for (const row of rows) {
    const body = { name: `Token ${row}`, scopes: ['api'] }
    things.impersonation_token = (await make(scene.root, `/users/${other.id}/impersonation_tokens`, body)).id
    for (const place of Object.values(places))
      Object.assign(place.things, {
        project_token: (await make(scene.root, `${place.project.url}/access_tokens`, body)).id,
        group_token: (await make(scene.root, `${place.group.url}/access_tokens`, body)).id,
      })
  }
}

/** Applications that act for people. */
export async function applications({ scene, things }: World): Promise<void> {
  for (const row of rows) {
    const body = { name: `Application ${row}`, redirect_uri: 'https://client.example.com/callback', scopes: 'api' }
    const { id, application_id, secret } = await make(scene.root, '/applications', body)
    Object.assign(things, { application: id, client_id: application_id, client_secret: secret })
  }
}

/** Each person exchanges a password for a token; eight times for the one whose lists are measured. */
export async function oauthGrants({ scene, people, own }: World): Promise<void> {
  const password = 'correct horse battery staple'
  for (const [name, person] of Object.entries(people)) {
    await scene.root.put(`/users/${person.id}`, { password })
    const grant = { grant_type: 'password', username: person.username, password }
    for (const _ of person === scene.root ? rows : [0]) await scene.anonymous.post(`${scene.url}/oauth/token`, grant)
    const [first] = (await person.get('/user/oauth_grants')).body
    ;(own[name] as Record<string, number>).oauth_grant = first.id
  }
}
