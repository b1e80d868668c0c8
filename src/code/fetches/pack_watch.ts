/** Whether git's answer to a fetch has a pack in it. */
import { Transform, type TransformCallback } from 'node:stream'

/** What every pack begins with, of the version that git sends. */
const PACK = Buffer.from('PACK\0\0\0\u0002')

/** Passes bytes on, and notes whether a pack begins in them. */
export class PackWatch extends Transform {
  hasPack = false
  /** The end of the last piece, where the beginning of a pack may stand. */
  #end = Buffer.alloc(0)

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (!this.hasPack) this.#look(piece)
    done(null, piece)
  }

  #look(piece: Buffer): void {
    const seam = Buffer.concat([this.#end, piece.subarray(0, PACK.length - 1)])
    this.hasPack = piece.includes(PACK) || seam.includes(PACK)
    this.#end = Buffer.concat([this.#end, piece.subarray(1 - PACK.length)]).subarray(1 - PACK.length)
  }
}
