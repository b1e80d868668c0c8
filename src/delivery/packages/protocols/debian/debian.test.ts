/** Repositories of Debian packages as they come over the wire. The tests with the real `apt-get` and `dput`: test/clients/debian_packages.test.ts. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { debOf, tarOf } from '../../../../../test/archives.ts'
import { type Client, openScene, type Person, type SceneProject } from '../../../../../test/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'
import { at, changes, control, deb, description, digest, into, upload, withDistribution } from './scene.ts'

const scene = await openScene()

const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

const listed = async (owner: Person, project: SceneProject) =>
  (await owner.get(`${project.url}/packages`)).body.map((row: { name: string; version: string }) => `${row.name} ${row.version}`)

test('a binary package is in the index of its architecture, and downloaded from the address there', async () => {
  const { project, owner } = await withDistribution(
    scene,
    {},
    { origin: 'Team', description: 'One\n\nTwo', valid_time_duration_seconds: 86_400 },
  )
  const bytes = deb('libthing', '1:1.0~rc1+b1', 'Source: thing (1:1.0~rc1)\nFilename: elsewhere\nsha256: lie\n')
  assert.deepEqual(await upload(owner, project, 'libthing_1.0~rc1+b1_amd64.deb', bytes, into('unstable')), {
    status: 201,
    body: { message: '201 Created' },
  })
  await upload(owner, project, 'thing-doc_1.0_all.deb', deb('thing-doc', '1.0', '', 'all'), into())
  await upload(owner, project, 'thing-udeb_1.0_amd64.udeb', deb('thing-udeb', '1.0'), into())
  assert.deepEqual(await listed(owner, project), ['thing 1:1.0~rc1', 'thing-doc 1.0', 'thing-udeb 1.0'])

  const filename = 'pool/sid/t/thing/1:1.0~rc1/libthing_1.0~rc1+b1_amd64.deb'
  const { body } = await at(owner, project, 'main/binary-amd64/Packages')
  assert.equal(
    body,
    `Package: libthing
Version: 1:1.0~rc1+b1
Architecture: amd64
Maintainer: Team <team@example.com>
Description: A thing
 It does.
Source: thing (1:1.0~rc1)
Filename: ${filename}
Size: ${bytes.length}
MD5sum: ${digest('md5', bytes)}
SHA256: ${digest('sha256', bytes)}
`,
  )
  assert.match((await at(owner, project, 'main/binary-all/Packages')).body, /^Package: thing-doc\n/)
  assert.match((await at(owner, project, 'main/debian-installer/binary-amd64/Packages')).body, /^Package: thing-udeb\n/)
  const downloaded = await owner.get(`${project.url}/packages/debian/${filename}`)
  assert.ok(downloaded.bytes.equals(bytes))
  for (const wrong of [filename.replace('/t/', '/l/'), filename.replace('sid', 'stable'), filename.replace('_amd64', '_arm64')])
    assert.equal((await owner.get(`${project.url}/packages/debian/${wrong}`)).status, 404, wrong)

  const release = (await at(owner, project, 'Release')).body as string
  assert.match(release, /^Origin: Team\nSuite: unstable\nCodename: sid\nDate: .* UTC\nValid-Until: .* UTC\nAcquire-By-Hash: yes\n/)
  assert.match(release, /\nDescription: One\n \.\n Two\nSHA256:\n /)
  const [, sha256] = / ([0-9a-f]{64}) \d+ main\/binary-amd64\/Packages\n/.exec(release) ?? []
  const [, compressed] = / ([0-9a-f]{64}) \d+ main\/binary-amd64\/Packages\.gz\n/.exec(release) ?? []
  assert.equal(sha256, digest('sha256', Buffer.from(body)))
  assert.equal((await at(owner, project, `main/binary-amd64/by-hash/SHA256/${sha256}`)).body, body)
  for (const path of ['Packages.gz', `by-hash/SHA256/${compressed}`]) {
    const { bytes: gz, headers } = await at(owner, project, `main/binary-amd64/${path}`)
    assert.deepEqual([digest('sha256', gz), gunzipSync(gz).toString(), headers['content-type']], [compressed, body, 'application/gzip'])
  }
  assert.match((await at(owner, project, 'Release.gpg')).body, /^-----BEGIN PGP SIGNATURE-----\n/)
  const signed = (await at(owner, project, 'InRelease')).body as string
  assert.ok(signed.startsWith(`-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${release}-----BEGIN PGP SIGNATURE-----\n`))
  for (const path of ['main/binary-arm64/Packages', 'contrib/binary-amd64/Packages', 'main/binary-amd64/Packages.xz', 'nothing'])
    assert.equal((await owner.get(`${project.url}/packages/debian/dists/sid/${path}`)).status, 404, path)

  // What a client began to read is there when it goes on, after the next package too.
  await upload(owner, project, 'new_1.0_amd64.deb', deb('new', '1.0'), into())
  assert.match((await at(owner, project, 'main/binary-amd64/Packages')).body, /Package: new\n/)
  assert.equal((await at(owner, project, `main/binary-amd64/by-hash/SHA256/${sha256}`)).body, body)
})

test('control archives are read however they are compressed', async () => {
  const { project, owner } = await withDistribution(scene)
  // By `xz` of the text of the control archive: nothing here compresses that way.
  const kinds: Record<string, Buffer> = {
    'plain_1.0_amd64.deb': debOf(control('plain', '1.0'), { name: 'control.tar', compress: tar => tar }),
    'gzip_1.0_amd64.deb': debOf(control('gzip', '1.0'), { name: 'control.tar.gz', compress: gzipSync }),
    'zstd_1.0_amd64.deb': debOf(control('zstd', '1.0'), { name: 'control.tar.zst', compress: zstdCompressSync }),
    'xz_1.0_amd64.deb': debOf('', { name: 'control.tar.xz', compress: () => Buffer.from(xzOfControl, 'base64') }),
  }
  for (const [name, bytes] of Object.entries(kinds)) assert.equal((await upload(owner, project, name, bytes, into())).status, 201, name)
  const { body } = await at(owner, project, 'main/binary-amd64/Packages')
  assert.deepEqual((body as string).match(/(?<=Package: ).*/g), ['plain', 'gzip', 'zstd', 'xz'])
  const other = debOf(control('bzip', '1.0'), { name: 'control.tar.bz2', compress: tar => tar })
  assert.equal((await upload(owner, project, 'bzip_1.0_amd64.deb', other, into())).status, 400)
})

/** `tar` of a control file of the package `xz`, compressed by `xz`. */
const xzOfControl =
  '/Td6WFoAAAFpIt42AgAhARYAAAB0L+Wj4Cf/AL9dABcLyOfZ5dHD1ZV9QtvcDlxs1FkS8hVsMfY9uQY/WlnCAYXyFKZKJviFO3/vbtuRi7IZ6QIS3P93ALY6kHFfBpkNtFPHrICpdfhUazT+3zGa9y1IeMYROzdDBKZljOQu4fxeAmRQ00hv9RSXg4ztf54jrPQEf69Uo+k+m8RtRC18ryaAJbmA5pJX9KuWRadgZqC6AmWdUReR3wwK63tvDavuohxi3R1qhHQUkxMsRpSrEUVelsIKdwHvHRwstgoAAACZFA5hAAHXAYBQAABxSetwPjANiwIAAAAAAVla'

test('what cannot be read is refused and leaves nothing', async () => {
  const { project, owner } = await withDistribution(scene)
  const good = deb('thing', '1.0')
  const withControl = (text: string) => debOf(text)
  const refused: Record<string, Buffer> = {
    'no archive': Buffer.from('deb'),
    nothing: Buffer.alloc(0),
    'an archive that is cut': good.subarray(0, good.length - 10),
    'an archive that is cut in its control archive': good.subarray(0, 160),
    'a member that says to be longer': Buffer.from(good.toString('latin1').replace(/(data\.tar\.gz.{37})\d/s, '$19'), 'latin1'),
    'another format': Buffer.from(good.toString('latin1').replace('2.0\n', '3.0\n'), 'latin1'),
    'no control file': debOf(undefined),
    'a control archive that is no tar': debOf('', { name: 'control.tar.gz', compress: () => Buffer.from('tar') }),
    'a control archive that is no xz': debOf('', { name: 'control.tar.xz', compress: () => Buffer.from('tar') }),
    'an xz that ends early': debOf('', { name: 'control.tar.xz', compress: () => Buffer.from(xzOfControl, 'base64').subarray(0, 120) }),
    'a control archive that grows very large': debOf(undefined, {
      name: 'control.tar.gz',
      compress: () => gzipSync(tarOf(['large', Buffer.alloc(20_000_000)], ['control', Buffer.from(control('thing', '1.0'))])),
    }),
    'a control file that is large': withControl(control('thing', '1.0', `X-Long: ${'x'.repeat(300_000)}\n`)),
    'two paragraphs': withControl(`${control('thing', '1.0')}\nPackage: other\n`),
    'a paragraph after a line of spaces': withControl(control('thing', '1.0', ' \nPackage: other\n')),
    'a field twice': withControl(control('thing', '1.0', 'package: other\n')),
    'no field': withControl(control('thing', '1.0', 'nothing\n')),
    'control characters': withControl(control('thing', '1.0', 'X-Bell: \x07\n')),
    'a NUL': withControl(control('thing', '1.0', 'X-Nul: \0\n')),
    'another name': deb('other', '1.0'),
    'another version': deb('thing', '2.0'),
    'another architecture': deb('thing', '1.0', '', 'all'),
    'a source with a path': deb('thing', '1.0', 'Source: ../thing\n'),
    'a source with a version that is none': deb('thing', '1.0', 'Source: thing (a/b)\n'),
  }
  for (const [what, bytes] of Object.entries(refused)) {
    const { status, body } = await upload(owner, project, 'thing_1.0_amd64.deb', bytes, into())
    assert.equal(status, 400, what)
    assert.match(body.message, /^Validation failed: /, what)
  }
  for (const name of ['thing.deb.txt', '.deb', 'a b_1_all.deb', `${'x'.repeat(252)}.deb`, 'thing_1.0_amd64.DEB'])
    assert.equal((await upload(owner, project, name, good, into())).status, 400, name)
  for (const query of [into('none'), into('sid', 'contrib'), '?distribution=sid', '?component=main'])
    assert.equal((await upload(owner, project, 'thing_1.0_amd64.deb', good, query)).status, 400, query)
  assert.equal((await upload(owner, project, 'thing_1.0_arm64.deb', deb('thing', '1.0', '', 'arm64'), into())).status, 400)
  assert.equal((await upload(owner, project, 'thing_1.0.dsc', Buffer.from('a'), into())).status, 400)
  assert.deepEqual(await listed(owner, project), [])
  assert.equal((await upload(owner, project, 'thing_1.0_amd64.deb', good, into())).status, 201)
})

test('a file is published once: the same again changes nothing, another one is refused', async () => {
  const { project, owner } = await withDistribution(scene)
  const [one, other] = [deb('thing', '1.0'), deb('thing', '1.0', 'Section: utils\n')]
  const first = await Promise.all([1, 2].map(() => upload(owner, project, 'thing_1.0_amd64.deb', one, into())))
  assert.deepEqual(
    first.map(({ status }) => status),
    [201, 201],
  )
  const again = await upload(owner, project, 'thing_1.0_amd64.deb', other, into())
  assert.deepEqual(again, { status: 400, body: { message: 'Validation failed: File name has already been taken: thing_1.0_amd64.deb' } })
  const [{ id }] = (await owner.get(`${project.url}/packages`)).body
  assert.equal((await owner.get(`${project.url}/packages/${id}/package_files`)).body.length, 1)
  const { statistics } = (await owner.get(project.url, { statistics: true })).body
  assert.equal(statistics.packages_size, one.length)
})

test('of concurrent uploads of different files under one name one is kept', async () => {
  const { project, owner } = await withDistribution(scene)
  const files = ['utils', 'net', 'web'].map(section => deb('thing', '1.0', `Section: ${section}\n`))
  const answers = await Promise.all(files.map(file => upload(owner, project, 'thing_1.0_amd64.deb', file, into())))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
  const [{ id }, ...others] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual([others, (await owner.get(`${project.url}/packages/${id}/package_files`)).body.length], [[], 1])
})

test('a `.changes` publishes the files that it names, with their source', async () => {
  const { project, owner } = await withDistribution(scene, {}, { components: 'main,contrib' })
  const archive = Buffer.from('the original archive')
  const debianPart = Buffer.from('the part of Debian')
  const sources = { 'thing_1.0.orig.tar.gz': archive, 'thing_1.0-1.debian.tar.xz': debianPart }
  const dsc = description('Format: 3.0 (quilt)\nSource: thing\nBinary: thing\nVersion: 1.0-1\n', sources)
  const binary = deb('thing', '1.0-1')
  const files = { ...sources, 'thing_1.0-1.dsc': dsc, 'thing_1.0-1_amd64.deb': binary }
  for (const [name, bytes] of Object.entries(files)) assert.equal((await upload(owner, project, name, bytes)).status, 201, name)
  assert.deepEqual(await listed(owner, project), [])
  assert.equal((await at(owner, project, 'main/binary-amd64/Packages')).bytes.length, 0)

  const signed = Buffer.from(
    `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${changes('thing', '1.0-1', files, 'contrib/utils')}\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n`,
  )
  const published = await upload(owner, project, 'thing_1.0-1_amd64.changes', signed)
  assert.deepEqual(published, { status: 201, body: { message: '201 Created' } })
  assert.deepEqual(await listed(owner, project), ['thing 1.0-1'])
  assert.match((await at(owner, project, 'contrib/binary-amd64/Packages')).body, /^Package: thing\n/)
  const { body } = await at(owner, project, 'contrib/source/Sources')
  assert.match(
    body,
    /^Package: thing\nFormat: 3\.0 \(quilt\)\nBinary: thing\nVersion: 1\.0-1\nDirectory: pool\/sid\/t\/thing\/1\.0-1\nFiles:\n /,
  )
  assert.ok(body.includes(`\n ${digest('sha256', archive)} ${archive.length} thing_1.0.orig.tar.gz\n`))
  assert.ok(body.includes(`\n ${digest('sha256', dsc)} ${dsc.length} thing_1.0-1.dsc\n`))

  // The next revision comes without the original archive.
  const next = { 'thing_1.0-2.debian.tar.xz': Buffer.from('the next part of Debian') }
  const nextDsc = description('Format: 3.0 (quilt)\nSource: thing\nBinary: thing\nVersion: 1.0-2\n', {
    'thing_1.0.orig.tar.gz': archive,
    ...next,
  })
  const nextFiles = { ...next, 'thing_1.0-2.dsc': nextDsc }
  for (const [name, bytes] of Object.entries(nextFiles)) await upload(owner, project, name, bytes)
  assert.equal(
    (await upload(owner, project, 'thing_1.0-2_source.changes', changes('thing', '1.0-2', nextFiles, 'contrib/utils'))).status,
    201,
  )
  const original = await owner.get(`${project.url}/packages/debian/pool/sid/t/thing/1.0-2/thing_1.0.orig.tar.gz`)
  assert.ok(original.bytes.equals(archive))
  assert.equal(
    (await upload(owner, project, 'thing_1.0-2_source.changes', changes('thing', '1.0-2', nextFiles, 'contrib/utils'))).status,
    201,
  )
})

test('a `.changes` that does not fit publishes nothing', async () => {
  const { project, owner } = await withDistribution(scene)
  const binary = deb('thing', '1.0')
  await upload(owner, project, 'thing_1.0_amd64.deb', binary)
  await upload(owner, project, 'other_1.0_amd64.deb', deb('other', '1.0'))
  const files = { 'thing_1.0_amd64.deb': binary }
  const good = changes('thing', '1.0', files).toString()
  const refused: Record<string, string> = {
    'a file that has not come': changes('thing', '1.0', { ...files, 'thing-doc_1.0_all.deb': binary }).toString(),
    'another file': changes('thing', '1.0', { 'thing_1.0_amd64.deb': deb('thing', '1.0', 'X: y\n') }).toString(),
    'a digest that lies': good.replace(/ [0-9a-f]{64} /, ` ${'0'.repeat(64)} `),
    'a size that lies': good.replaceAll(` ${binary.length} `, ' 1 '),
    'no SHA-256': good.replace('Checksums-Sha256', 'Checksums'),
    'another source': changes('another', '1.0', files).toString(),
    'another version': changes('thing', '2.0', files).toString(),
    'no distribution': good.replace('Distribution: unstable\n', ''),
    'a distribution that is not there': good.replace('unstable', 'testing'),
    'a component that is not there': changes('thing', '1.0', files, 'contrib/utils').toString(),
    'a file with a path': good.replaceAll('thing_1.0_amd64.deb', '../thing_1.0_amd64.deb'),
    'a file twice': `${good} ${digest('md5', binary)} ${binary.length} utils optional thing_1.0_amd64.deb\n`,
    'no files': good.slice(0, good.indexOf('Files:')),
    'no control data': 'changes',
    'a signature that does not end': `-----BEGIN PGP SIGNED MESSAGE-----\n\n${good}`,
    'a very large one': `${good}X-Long: ${'x'.repeat(300_000)}\n`,
  }
  for (const [what, text] of Object.entries(refused)) {
    const { status, body } = await upload(owner, project, 'thing_1.0_amd64.changes', Buffer.from(text))
    assert.equal(status, 400, what)
    assert.match(body.message, /^Validation failed: /, what)
  }
  assert.deepEqual(await listed(owner, project), [])
  const both = await Promise.all([1, 2].map(() => upload(owner, project, 'thing_1.0_amd64.changes', Buffer.from(good))))
  assert.deepEqual(
    both.map(({ status }) => status),
    [201, 201],
  )
  assert.deepEqual(await listed(owner, project), ['thing 1.0'])
})

test('files that no `.changes` names are dropped after a day', async () => {
  const { project, owner } = await withDistribution(scene)
  const [one, other] = [deb('thing', '1.0'), deb('other', '1.0')]
  await upload(owner, project, 'thing_1.0_amd64.deb', one)
  await upload(owner, project, 'thing_1.0_amd64.deb', one)
  const { db } = scene.deps.database
  const size = async () => (await owner.get(project.url, { statistics: true })).body.statistics.packages_size
  assert.equal(await size(), one.length)
  await sql`update package_files set created_at = package_files.created_at - interval '25 hours'
    from packages where packages.id = package_id and project_id = ${project.id}`.execute(db)
  await upload(owner, project, 'other_1.0_amd64.deb', other)
  assert.equal(await size(), other.length)
})

test('a deleted package is in no index, and its file is gone', async () => {
  const { project, owner } = await withDistribution(scene)
  await upload(owner, project, 'thing_1.0_amd64.deb', deb('thing', '1.0'), into())
  assert.notEqual((await at(owner, project, 'main/binary-amd64/Packages')).bytes.length, 0)
  const [{ id }] = (await owner.get(`${project.url}/packages`)).body
  assert.equal((await owner.delete(`${project.url}/packages/${id}`)).status, 204)
  assert.equal((await at(owner, project, 'main/binary-amd64/Packages')).bytes.length, 0)
})

test('indexes are sent again only where they are others, to apt, which says their time, and to those who say their tag', async () => {
  const { project, owner } = await withDistribution(scene)
  await upload(owner, project, 'thing_1.0_amd64.deb', deb('thing', '1.0'), into())
  const paths = ['Release', 'Release.gpg', 'InRelease', 'main/binary-amd64/Packages', 'main/binary-amd64/Packages.gz']
  const get = (path: string, headers: Record<string, string>) => owner.get(`${project.url}/packages/debian/dists/sid/${path}`, {}, headers)
  /** Releases as if an hour had passed: within the second in which one was made no time is said. */
  const later = () =>
    scene.deps.database.db.updateTable('debian_releases').set({ created_at: sql<string>`created_at - interval '1 hour'` }).execute()
  const fresh = await at(owner, project, 'InRelease')
  await later()
  const seen = new Map<string, Record<string, string>>()
  for (const path of paths) {
    const { headers } = await at(owner, project, path)
    assert.equal((await get(path, { 'if-none-match': headers.etag as string })).status, 304, path)
    const since = { 'if-modified-since': headers['last-modified'] as string }
    assert.deepEqual(await get(path, since), { status: 304, body: undefined }, path)
    // A tag counts more than a time, and a time is none that is merely later.
    assert.equal((await get(path, { ...since, 'if-none-match': '"other"' })).status, 200, path)
    assert.equal((await get(path, { 'if-modified-since': new Date().toUTCString() })).status, 200, path)
    seen.set(path, since)
  }
  assert.equal(fresh.headers.etag, (await at(owner, project, 'InRelease')).headers.etag)

  await upload(owner, project, 'thing_1.1_amd64.deb', deb('thing', '1.1'), into())
  for (const path of paths) assert.equal((await get(path, seen.get(path) as Record<string, string>)).status, 200, path)
})

test('indexes of a group are sent again only where they are others', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project } = await withDistribution(scene, { group, owner })
  await owner.post(`${group.url}/-/debian_distributions`, { codename: 'sid' })
  await upload(owner, project, 'thing_1.0_amd64.deb', deb('thing', '1.0'), into())
  for (const path of ['Release', 'Release.gpg', 'InRelease', 'main/binary-amd64/Packages']) {
    const address = `${group.url}/-/packages/debian/dists/sid/${path}`
    const { headers } = await owner.get(address)
    const kept = scene.as({ 'private-token': owner.token, 'if-none-match': headers.etag as string })
    assert.equal((await kept.get(address)).status, 304, path)
  }
})

test('packages that say more of themselves than an index can hold are refused, and no index is made of them', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project } = await withDistribution(scene, { group, owner })
  assert.equal((await owner.post(`${group.url}/-/debian_distributions`, { codename: 'sid' })).status, 201)
  await upload(owner, project, 'thing_1.0_amd64.deb', deb('thing', '1.0'), into())
  const { db } = scene.deps.database
  const said = await sql<{ id: number }>`
    update package_files set metadata = jsonb_set(metadata::jsonb, '{fields}', jsonb_build_array(jsonb_build_array('Description', repeat('a', 65 * 1024 * 1024))))::json
     where file_name = 'thing_1.0_amd64.deb' and package_id in (select id from packages where project_id = ${project.id}) returning id`.execute(
    db,
  )
  assert.equal(said.rows.length, 1)

  const more = await upload(owner, project, 'more_1.0_amd64.deb', deb('more', '1.0'), into())

  assert.equal(more.status, 400)
  assert.match(JSON.stringify(more.body), /more of themselves/)
  assert.deepEqual(await listed(owner, project), ['thing 1.0'])
  for (const { url } of [{ url: `${project.url}/packages` }, { url: `${group.url}/-/packages` }])
    for (const file of ['Release', 'Release.gpg', 'InRelease', 'main/binary-amd64/Packages'])
      assert.equal((await owner.get(`${url}/debian/dists/sid/${file}`)).status, 422, `${url} ${file}`)
})

test('who may: as with all packages; callers without credentials are asked for them', async () => {
  const { project, owner, ...people } = await withDistribution(scene, { members: ['guest', 'reporter', 'developer', 'maintainer'] })
  await upload(owner, project, 'thing_1.0_amd64.deb', deb('thing', '1.0'), into())
  const statuses = async (client: Client) => [
    (await client.get(`${project.url}/packages/debian/dists/sid/InRelease`)).status,
    (await client.get(`${project.url}/packages/debian/pool/sid/t/thing/1.0/thing_1.0_amd64.deb`)).status,
    (await upload(client, project, 'thing_1.0_amd64.deb', deb('thing', '1.0'), into())).status,
    (await client.put(`${project.url}/debian_distributions/sid`, { label: 'team' })).status,
  ]
  assert.deepEqual(await statuses(scene.anonymous), [401, 401, 401, 401])
  assert.deepEqual(await statuses(await scene.user()), [404, 404, 404, 404])
  assert.deepEqual(await statuses(people.guest), [403, 403, 403, 403])
  assert.deepEqual(await statuses(basic(people.reporter.username, people.reporter.token)), [200, 200, 403, 403])
  assert.deepEqual(await statuses(people.developer), [200, 200, 201, 200])
  assert.equal((await people.developer.delete(`${project.url}/debian_distributions/sid`)).status, 403)
  const job = await runningJob(scene, project, owner)
  assert.deepEqual(await statuses(basic('gitlab-ci-token', job.token)), [200, 200, 201, 200])
  const make = async (scopes: string[]) => (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes })).body
  const [reader, writer] = [await make(['read_package_registry']), await make(['write_package_registry'])]
  assert.deepEqual(await statuses(basic(reader.username, reader.token)), [200, 200, 403, 403])
  assert.deepEqual(await statuses(basic(writer.username, writer.token)), [200, 200, 201, 200])
  const asked = await scene.anonymous.get(`${project.url}/packages/debian/dists/sid/InRelease`)
  assert.match(asked.headers['www-authenticate'] ?? '', /^Basic /)
  await owner.put(project.url, { packages_enabled: false })
  assert.deepEqual(await statuses(owner), [403, 403, 403, 403])
})

test('a project with a storage limit takes no package beyond it', async () => {
  const { project, owner } = await withDistribution(scene)
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const large = debOf(control('thing', '1.0'), undefined, randomBytes(1_100_000))
  assert.equal((await upload(owner, project, 'thing_1.0_amd64.deb', large, into())).status, 413)
  assert.deepEqual(await listed(owner, project), [])
})
