/** The smallest archives, for tests that publish them. */
import { gzipSync } from 'node:zlib'

const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`

/** The header of a file in a tar (POSIX.1-1988, ustar). */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write(octal(0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(0, 12), 136)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** A tar with these files, of a name and bytes each. */
export function tarOf(...files: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = files.flatMap(([name, bytes]) => [headerOf(name, bytes.length), bytes, Buffer.alloc(-bytes.length & 511)])
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

/** How the control archive of a binary package is named and compressed. */
interface ControlArchive {
  readonly name: string
  readonly compress: (tar: Buffer) => Buffer
}

/** A binary package of Debian with this control file, or without one. */
export function debOf(
  control: string | undefined,
  { name, compress }: ControlArchive = { name: 'control.tar.gz', compress: tar => gzipSync(tar) },
  data = Buffer.from('A thing.\n'),
): Buffer {
  const archive = tarOf(...(control === undefined ? [] : [['./control', Buffer.from(control)] as const]))
  const members: [string, Buffer][] = [
    ['debian-binary', Buffer.from('2.0\n')],
    [name, compress(archive)],
    ['data.tar.gz', gzipSync(tarOf(['./usr/share/doc/thing/README', data]))],
  ]
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    ...members.flatMap(([member, bytes]) => [arHeader(member, bytes.length), bytes, Buffer.alloc(bytes.length % 2, 10)]),
  ])
}

const arHeader = (name: string, size: number): Buffer =>
  Buffer.from(`${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(size).padEnd(10)}\`\n`)
