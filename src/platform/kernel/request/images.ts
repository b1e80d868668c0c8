/**
 * Recognises uploaded images by their content, never by the name or type that came with them. Only the header is read and nothing is
 * decoded, so an image that would unpack to gigabytes costs nothing here. An image of such dimensions is refused, because clients would
 * have to unpack it.
 */
import { open } from 'node:fs/promises'
import { imageSize } from 'image-size'
import type { Upload } from '../declaration/types.ts'
import { invalid } from '../errors.ts'

/** The accepted formats, by the name that `image-size` uses. No SVG: it is a document that can contain scripts. */
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

/** The facts in an image's header. */
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

/** Bytes at the beginning of a file that contain every common header. */
const HEADER = 1024 * 1024

/** The facts in a file's header; undefined for a file that is no image of the accepted formats. */
export async function describeImage(file: string): Promise<ImageFacts | undefined> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER), 0, HEADER, 0)
    return factsOf(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

/** The size of a picture in pixels, as it is shown. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The size of a picture of any format that browsers show, from the beginning of its file; undefined where that does not say it. */
export function pixelsOf(bytes: Buffer): ImageSize | undefined {
  const { width = 0, height = 0, orientation = 1 } = headerOf(bytes) ?? {}
  if (!(width >= 1 && height >= 1 && Math.max(width, height) <= MOST_PIXELS)) return undefined
  // A photograph that was taken with the camera upright says that it is to be turned.
  return orientation >= TURNED ? { width: height, height: width } : { width, height }
}

/** The longest side that a picture is taken to have. */
const MOST_PIXELS = 100_000

/** From here on, orientations turn a picture by a quarter. */
const TURNED = 5

function factsOf(bytes: Buffer): ImageFacts | undefined {
  const header = headerOf(bytes)
  const mediaType = mediaTypes[header?.type ?? '']
  if (!header || mediaType === undefined) return undefined
  const sizes = [header, ...(header.images ?? [])].flatMap(({ width, height }) => [width, height])
  return sizes.every(size => size > 0) ? { mediaType, side: Math.max(...sizes) } : undefined
}

/** The result of the library, which throws at bytes that are no image. */
function headerOf(bytes: Buffer): ReturnType<typeof imageSize> | undefined {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}
