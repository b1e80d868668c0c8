/** Files straight out of zips (zips that are cut, lie, or have odd names). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { ZipFile } from 'yazl'
import { atEnd } from '../../../../test/at_end.ts'
import { localStore } from '../../../platform/object_store/local.ts'
import { contentsOf, isReadable } from './contents.ts'
import { checkZip } from './directory.ts'
import { findEntry } from './find.ts'
import { oddZip, zipOf } from './scene.ts'
import { objectSource, UnfitZip } from './source.ts'

const root = await mkdtemp(join(tmpdir(), 'ingot-zip-'))
atEnd(() => rm(root, { recursive: true, force: true }))
const objects = localStore(root)
const store = (bytes: Buffer) => objects.put(Readable.from([bytes]))

/** What a file of a zip contains; undefined where it cannot be had. */
async function read(zip: Buffer, name: string, range?: { start: number; end: number }): Promise<Buffer | undefined> {
  const entry = await findEntry(objects, await store(zip), name)
  return entry && isReadable(entry) ? buffer(await contentsOf(entry, range)) : undefined
}
const check = async (zip: Buffer) => checkZip(objectSource(objects, await store(zip)))

test('a file is found in a zip and inflated, whole and in parts', async () => {
  const bytes = randomBytes(100_000)
  const zip = await zipOf({ 'a.txt': 'first', 'out/deep/b.bin': bytes, empty: '' })

  assert.equal(String(await read(zip, 'a.txt')), 'first')
  assert.ok((await read(zip, 'out/deep/b.bin'))?.equals(bytes))
  assert.ok((await read(zip, 'out/deep/b.bin', { start: 70_000, end: 70_009 }))?.equals(bytes.subarray(70_000, 70_010)))
  assert.equal((await read(zip, 'empty'))?.length, 0)
  assert.equal(await read(zip, 'deep/b.bin'), undefined)
  await check(zip)
})

test('a zip that was streamed, with sizes after the bytes, and one in the format for large files are read too', async () => {
  const zip = new ZipFile()
  zip.addReadStream(Readable.from([Buffer.from('streamed '), Buffer.from('bytes')]), 'log.txt', { forceZip64Format: true })
  zip.addEmptyDirectory('folder')
  zip.end({ forceZip64Format: true, comment: 'made by a test' })
  const bytes = await buffer(zip.outputStream)

  assert.equal(String(await read(bytes, 'log.txt')), 'streamed bytes')
  assert.equal(await read(bytes, 'folder/'), undefined)
  await check(bytes)
})

test('a file of 20,000 is found, also in a directory that comes in pieces', async () => {
  const zip = oddZip(Array.from({ length: 20_000 }, (_, index) => ({ name: `folder/file-${index}.txt`, content: `content ${index}` })))

  const stored = await store(zip)
  for (const index of [0, 9_999, 19_999]) {
    const entry = await findEntry(objects, stored, `folder/file-${index}.txt`)
    assert.equal(entry && String(await buffer(await contentsOf(entry))), `content ${index}`)
  }
  await check(zip)
})

test('of files of one name the first is found, however many there are', async () => {
  const zip = oddZip(Array.from({ length: 20_000 }, (_, index) => ({ name: 'a', content: `content ${index}` })))
  assert.equal(String(await read(zip, 'a')), 'content 0')
  assert.equal(await read(zip, 'b'), undefined)
})

describe('names', () => {
  const cases: [string, Parameters<typeof oddZip>[0][number], string][] = [
    ['UTF-8 with its flag', { name: 'größe.txt', content: 'x', says: { flags: 0x800 } }, 'größe.txt'],
    ['UTF-8 without its flag', { name: 'größe.txt', content: 'x' }, 'größe.txt'],
    ['code page 437', { name: Buffer.from('67729ce1652e747874', 'hex'), content: 'x' }, 'gr£ße.txt'],
    ['a byte that is no UTF-8', { name: Buffer.from([0x61, 0xff]), content: 'x' }, 'a\u00a0'],
    ['spaces, quotes, a percent sign', { name: `a "b" 100%\\'.txt`, content: 'x' }, `a "b" 100%\\'.txt`],
    [
      'a name in UTF-8 beside another one',
      { name: '____.txt', content: 'x', says: { extra: unicodePath('____.txt', 'größe.txt') } },
      'größe.txt',
    ],
  ]
  for (const [what, file, name] of cases)
    test(what, async () => {
      assert.equal(String(await read(oddZip([{ name: 'other', content: 'y' }, file]), name)), 'x')
    })

  test('a name in UTF-8 that belongs to a former one does not count', async () => {
    const extra = unicodePath('former', 'größe.txt')
    assert.equal(await read(oddZip([{ name: 'a.txt', content: 'x', says: { extra } }]), 'größe.txt'), undefined)
  })
})

function unicodePath(name: string, better: string): Buffer {
  const field = Buffer.concat([Buffer.alloc(9), Buffer.from(better)])
  field.writeUInt16LE(0x7075, 0)
  field.writeUInt16LE(field.length - 4, 2)
  field.writeUInt8(1, 4)
  field.writeUInt32LE(crc32(Buffer.from(name)), 5)
  return field
}

describe('what cannot be had', () => {
  const link = 0o120777
  const cases: [string, Parameters<typeof oddZip>[0][number]][] = [
    ['a link', { name: 'a', content: '/etc/passwd', says: { unixMode: link } }],
    ['an encrypted file', { name: 'a', content: 'x', says: { flags: 1 } }],
    ['a file packed in a way that nobody knows', { name: 'a', content: 'x', says: { method: 99 } }],
    ['a file that is not packed and says another size', { name: 'a', content: 'x', says: { size: 2 } }],
    ['a file that inflates more than anything can', { name: 'a', content: 'xx', says: { method: 8, size: 1_000_000_000 } }],
  ]
  for (const [what, file] of cases)
    test(what, async () => {
      assert.equal(await read(oddZip([file]), 'a'), undefined)
    })
})

describe('bytes that are not those of the directory break the answer off', () => {
  const packed = deflateRawSync(Buffer.alloc(200_000, 'a'))
  const says = { method: 8, size: 200_000, crc32: crc32(Buffer.alloc(200_000, 'a')) }
  const cases: [string, Parameters<typeof oddZip>[0][number]][] = [
    ['more bytes: a bomb', { name: 'a', content: packed, says: { ...says, size: 1_000 } }],
    ['fewer bytes', { name: 'a', content: packed, says: { ...says, size: 200_001 } }],
    ['another checksum', { name: 'a', content: packed, says: { ...says, crc32: 1 } }],
    ['no deflate', { name: 'a', content: Buffer.alloc(400, 0xff), says: { method: 8, size: 5 } }],
    ['a header elsewhere', { name: 'a', content: 'abcdef', says: { headerAt: 1, size: 3, compressedSize: 3 } }],
  ]
  for (const [what, file] of cases)
    test(what, async () => {
      await assert.rejects(read(oddZip([file]), 'a'))
    })

  test('and with the truth there are none', async () => {
    assert.equal((await read(oddZip([{ name: 'a', content: packed, says }]), 'a'))?.length, 200_000)
  })
})

describe('zips that are refused', () => {
  const whole = zipOf({ 'a.txt': 'a'.repeat(1_000), 'b.txt': 'b' })
  const changed = async (change: (zip: Buffer) => Buffer | undefined) => {
    const zip = Buffer.from(await whole)
    return change(zip) ?? zip
  }
  const directoryAt = (zip: Buffer) => zip.readUInt32LE(zip.length - 22 + 16)
  const cases: [string, (zip: Buffer) => Buffer | undefined][] = [
    ['nothing at all', () => Buffer.alloc(0)],
    ['no zip', () => randomBytes(5_000)],
    ['cut in the middle', zip => zip.subarray(0, zip.length / 2)],
    ['cut at the end', zip => zip.subarray(0, zip.length - 1)],
    ['more files than there are', zip => void zip.writeUInt16LE(3, zip.length - 22 + 10)],
    ['fewer files than there are', zip => void zip.writeUInt16LE(1, zip.length - 22 + 10)],
    ['a directory behind the end', zip => void zip.writeUInt32LE(zip.length, zip.length - 22 + 16)],
    ['a directory that is none', zip => void zip.writeUInt32LE(0, directoryAt(zip))],
    ['a file behind the directory', zip => void zip.writeUInt32LE(zip.length, directoryAt(zip) + 42)],
    ['a file larger than the archive', zip => void zip.writeUInt32LE(0xfffffff0, directoryAt(zip) + 20)],
    ['the first of several parts', zip => void zip.writeUInt16LE(1, zip.length - 22 + 4)],
    ['a name longer than the directory', zip => void zip.writeUInt16LE(0xffff, directoryAt(zip) + 28)],
  ]
  for (const [what, change] of cases)
    test(what, async () => {
      await assert.rejects(check(await changed(change)), UnfitZip)
    })

  test('an empty zip is fine', async () => {
    await check(await zipOf({}))
  })
})
