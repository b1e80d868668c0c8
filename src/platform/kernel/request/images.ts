/**
 * The one place where an uploaded image is believed to be one: by its content, never by the name or type that came with
 * it. Only the header is read; nothing is decoded, so an image that would unpack to gigabytes costs nothing here, and one
 * of such dimensions is refused, for whoever shows it would have to unpack it.
 */
import { open } from 'node:fs/promises'
import { imageSize } from 'image-size'
import { invalid } from '../errors.ts'
import type { Upload } from '../types.ts'

/** The formats that are taken, by the name of `image-size`. No SVG: it is a document that can hold scripts. */
const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  ico: 'image/vnd.microsoft.icon',
  webp: 'image/webp',
}

export interface ImageLimits {
  /** Bytes of the file. */
  readonly bytes: number
  /** Pixels of the longer side. */
  readonly side: number
}

/** An image, as its header describes it. */
export interface ImageFacts {
  readonly mediaType: string
  /** Pixels of the longest side; of the largest where one file holds several. */
  readonly side: number
}

/** The media type of an uploaded image. @throws Refusal 400 in the words of decision 12, under the parameter's name */
export async function imageTypeOf(parameter: string, upload: Upload, { bytes, side }: ImageLimits): Promise<string> {
  const refuse = (reason: string) => invalid({ [parameter]: [reason] })
  if (upload.size > bytes) throw refuse(`is too big (should be at most ${Math.floor(bytes / 1024)} KB)`)
  const image = await describeImage(upload.file)
  if (!image) throw refuse(`file format is not supported. Please try one of the following supported formats: ${formats}`)
  if (image.side > side) throw refuse(`has too many pixels (should be at most ${side} in width and height)`)
  return image.mediaType
}

const formats = Object.values(mediaTypes).join(', ')

/** The beginning of a file in which every common header ends. In bytes. */
const HEADER = 1024 * 1024

/** What a file's header says; undefined for a file that is no image of the formats above. */
export async function describeImage(file: string): Promise<ImageFacts | undefined> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER), 0, HEADER, 0)
    return factsOf(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

function factsOf(bytes: Buffer): ImageFacts | undefined {
  const header = headerOf(bytes)
  const mediaType = mediaTypes[header?.type ?? '']
  if (!header || mediaType === undefined) return undefined
  const sizes = [header, ...(header.images ?? [])].flatMap(({ width, height }) => [width, height])
  return sizes.every(size => size > 0) ? { mediaType, side: Math.max(...sizes) } : undefined
}

/** What the library reads; it throws at bytes that are no image. */
function headerOf(bytes: Buffer): ReturnType<typeof imageSize> | undefined {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}
