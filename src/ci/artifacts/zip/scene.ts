/** For tests: zips as programs make them, and zips with single bytes changed. */
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { ZipFile } from 'yazl'

/** A zip with these files. */
export async function zipOf(files: Readonly<Record<string, Buffer | string>>, { compress = true } = {}): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, { compress })
  zip.end()
  return buffer(zip.outputStream)
}

/** A file as an unusual program writes it. */
export interface OddFile {
  readonly name: Buffer | string
  readonly content: Buffer | string
  /** Values for the directory that differ from the real ones. */
  readonly says?: {
    readonly flags?: number
    readonly method?: number
    readonly size?: number
    readonly compressedSize?: number
    readonly crc32?: number
    readonly headerAt?: number
    readonly unixMode?: number
    readonly extra?: Buffer
  }
}

/** A zip of stored (unpacked) files whose directory says what the test wants. */
export function oddZip(files: readonly OddFile[]): Buffer {
  const parts: Buffer[] = []
  const records: Buffer[] = []
  let at = 0
  for (const { name, content, says = {} } of files) {
    const nameBytes = Buffer.from(name)
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(nameBytes.length, 26)
    parts.push(header, nameBytes, bytes)
    const { extra = Buffer.alloc(0) } = says
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x02014b50, 0)
    record.writeUInt8(says.unixMode === undefined ? 0 : 3, 5)
    record.writeUInt16LE(says.flags ?? 0, 8)
    record.writeUInt16LE(says.method ?? 0, 10)
    record.writeUInt32LE(says.crc32 ?? crc32(bytes), 16)
    record.writeUInt32LE(says.compressedSize ?? bytes.length, 20)
    record.writeUInt32LE(says.size ?? bytes.length, 24)
    record.writeUInt16LE(nameBytes.length, 28)
    record.writeUInt16LE(extra.length, 30)
    record.writeUInt16LE(says.unixMode ?? 0, 40)
    record.writeUInt32LE(says.headerAt ?? at, 42)
    records.push(record, nameBytes, extra)
    at += 30 + nameBytes.length + bytes.length
  }
  const directory = Buffer.concat(records)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}
