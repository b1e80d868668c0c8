/** Debian packages for tests: their files, and projects with a distribution. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { debOf } from '../../../../../test/archives.ts'
import type { Client, Scene, SceneProject } from '../../../../../test/scene.ts'

export const digest = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex')

/** The control file of a binary package. */
export const control = (name: string, version: string, more = '', architecture = 'amd64') =>
  `Package: ${name}\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: Team <team@example.com>\nDescription: A thing\n It does.\n${more}`

export const deb = (name: string, version: string, more = '', architecture = 'amd64') => debOf(control(name, version, more, architecture))

export const upload = (client: Client, project: SceneProject, name: string, bytes: Buffer, query = '') =>
  client.put(`${project.url}/packages/debian/${encodeURIComponent(name)}${query}`, bytes)

export const into = (distribution = 'sid', component = 'main') => `?distribution=${distribution}&component=${component}`

export const at = async (client: Client, project: SceneProject, path: string) => {
  const answer = await client.get(`${project.url}/packages/debian/dists/sid/${path}`)
  assert.equal(answer.status, 200, path)
  return answer
}

/** A project with the distribution `sid`. */
export async function withDistribution(scene: Scene, options: Parameters<Scene['project']>[0] = {}, attributes: object = {}) {
  const made = await scene.project(options)
  const { status } = await made.owner.post(`${made.project.url}/debian_distributions`, {
    codename: 'sid',
    suite: 'unstable',
    ...attributes,
  })
  assert.equal(status, 201)
  return made
}

/** The description of an upload or of a source package that names these files. */
export function description(head: string, files: Readonly<Record<string, Buffer>>, section = ''): Buffer {
  const list = (name: string, middle = '') =>
    Object.entries(files)
      .map(([file, bytes]) => ` ${digest(name, bytes)} ${bytes.length}${middle} ${file}\n`)
      .join('')
  const sums = `Checksums-Sha1:\n${list('sha1')}Checksums-Sha256:\n${list('sha256')}Files:\n${list('md5', section && ` ${section} optional`)}`
  return Buffer.from(`${head}${sums}`)
}

export const changes = (source: string, version: string, files: Readonly<Record<string, Buffer>>, section = 'utils') =>
  description(`Source: ${source}\nVersion: ${version}\nDistribution: unstable\n`, files, section)
