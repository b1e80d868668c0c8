import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeRepositoryPath } from './address.ts'
import { basicCredentials } from './tokens.ts'

const addresses: readonly [address: string, routed: string | undefined][] = [
  ['/g/p.git/info/refs?service=git-upload-pack', '/g%2Fp.git/info/refs?service=git-upload-pack'],
  ['/g/p/git-upload-pack', '/g%2Fp/git-upload-pack'],
  ['/a/b/c/d/e.git/git-receive-pack', '/a%2Fb%2Fc%2Fd%2Fe.git/git-receive-pack'],
  ['//g//p.git//git-receive-pack', '/g%2Fp.git/git-receive-pack'],
  ['/a/b/p.git/info/lfs/objects/batch', '/a%2Fb%2Fp.git/info/lfs/objects/batch'],
  ['/g/p/info/lfs/locks?limit=1', '/g%2Fp/info/lfs/locks?limit=1'],
  ['/g/p.git/info/lfs/locks/verify', '/g%2Fp.git/info/lfs/locks/verify'],
  ['/g/p.git/info/lfs/locks/7/unlock', '/g%2Fp.git/info/lfs/locks/7/unlock'],
  ['/g/p.git/gitlab-lfs/objects/0a/12', '/g%2Fp.git/gitlab-lfs/objects/0a/12'],
  ['/g/p.git/gitlab-lfs/objects/0a', '/g%2Fp.git/gitlab-lfs/objects/0a'],
  ['/g/p.git/info/lfs/other', undefined],
  ['/g/info/refs.git/info/refs', '/g%2Finfo%2Frefs.git/info/refs'],
  ['/g%20x/p.git/info/refs', '/g%20x%2Fp.git/info/refs'],
  // A path of one segment is an alias.
  ['/p.git/info/refs', '/p.git/info/refs'],
  ['/g/p.git/info/refs/x', undefined],
  ['/g/p.git/HEAD', undefined],
  ['/g/p?x=/info/refs', undefined],
  ['/api/v4/projects/1/jobs/1/artifacts/info/refs', undefined],
  ['/-/x/git-upload-pack', undefined],
  ['/g/p.wiki.git/info/refs?service=x', '/-/repositories/g%2Fp.wiki.git/info/refs?service=x'],
  ['/g.wiki/git-receive-pack', '/-/repositories/g.wiki/git-receive-pack'],
  ['/g/p.wiki.git/info/lfs/locks', '/g%2Fp.wiki.git/info/lfs/locks'],
]

const kinds = [{ recognizes: (path: string) => path.endsWith('.wiki') }]

test('the path of a repository is encoded as one segment of the URL, whatever its depth', () => {
  for (const [address, routed] of addresses) assert.equal(encodeRepositoryPath(address, kinds), routed, address)
})

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
const headers: readonly [header: string | undefined, expected: { username: string; password: string } | undefined][] = [
  [basic('oauth2:token'), { username: 'oauth2', password: 'token' }],
  [basic('ida:päss:word €'), { username: 'ida', password: 'päss:word €' }],
  [basic(':only'), { username: '', password: 'only' }],
  [basic('nothing'), undefined],
  ['basic aWRhOng=', { username: 'ida', password: 'x' }],
  ['Bearer x', undefined],
  ['Basic !!', undefined],
  [undefined, undefined],
]

test('Basic credentials are split at the first colon and read as UTF-8', () => {
  for (const [header, expected] of headers) assert.deepEqual(basicCredentials(header), expected, header)
})
