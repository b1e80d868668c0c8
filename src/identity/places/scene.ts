/** Files that say where addresses are, in the form of MaxMind's databases, as small as a test needs them. */
import { writeFile } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'

type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

const STRING = 2
const UINT32 = 6
const MAP = 7
/** An extended type: its number is in the next byte. */
const ARRAY = 11

function head(type: number, size: number): Buffer {
  const [byte, extended] = type > MAP ? [0, [type - MAP]] : [type << 5, []]
  // Longer ones have their length less 29 in a byte of their own, behind the type.
  return size < 29 ? Buffer.from([byte | size, ...extended]) : Buffer.from([byte | 29, ...extended, size - 29])
}

/** A value of the data section (MaxMind DB file format 2.0). */
function encoded(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([head(STRING, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(UINT32, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([head(ARRAY, value.length), ...value.map(encoded)])
  const entries = Object.entries(value)
  return Buffer.concat([head(MAP, entries.length), ...entries.flatMap(([key, item]) => [encoded(key), encoded(item)])])
}

/** The bits of a network in a tree of IPv6, where IPv4 has the first 96 as zeros. */
function bitsOf(network: string): number[] {
  const [address, length] = ipaddr.parseCIDR(network)
  const bytes = address.toByteArray()
  const bits = bytes.flatMap(byte => [...byte.toString(2).padStart(8, '0')].map(Number)).slice(0, length)
  return bytes.length === 4 ? [...new Array(96).fill(0), ...bits] : bits
}

/** Writes a database with these networks, none within another. @param madeAt when it says that it was made */
export async function writePlaces(path: string, networks: Readonly<Record<string, Value>>, madeAt = new Date()): Promise<string> {
  const nodes: (number | { readonly at: number } | undefined)[][] = [[undefined, undefined]]
  const data: Buffer[] = []
  let at = 0
  for (const [network, value] of Object.entries(networks)) {
    const bits = bitsOf(network)
    let node = 0
    for (const bit of bits.slice(0, -1)) {
      const row = nodes[node] as (number | undefined)[]
      row[bit] ??= nodes.push([undefined, undefined]) - 1
      node = row[bit] as number
    }
    const last = nodes[node] as { at: number }[]
    last[bits.at(-1) as number] = { at }
    const bytes = encoded(value)
    data.push(bytes)
    at += bytes.length
  }
  const tree = nodes.flat().map(record => {
    const bytes = Buffer.alloc(3)
    bytes.writeUIntBE(record === undefined ? nodes.length : typeof record === 'number' ? record : nodes.length + 16 + record.at, 0, 3)
    return bytes
  })
  const about = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(madeAt.getTime() / 1000),
    database_type: 'Test-City',
    description: { en: 'Places of tests' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  }
  const end = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  await writeFile(path, Buffer.concat([...tree, Buffer.alloc(16), ...data, end, encoded(about)]))
  return path
}
