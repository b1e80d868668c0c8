/** The smallest archives, for tests that publish them. */

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
