/** Content types of the files of a site, by the ending of their names. A site has an origin of its own, so that they may be what they are. */
import { contentType } from 'mime-types'

/** Texts whose encoding the library leaves open: sites are written in UTF-8. */
const texts = new Set(['application/xml', 'application/xhtml+xml', 'application/atom+xml', 'application/rss+xml', 'image/svg+xml'])

/** The content type of a file; one that says nothing for an ending that is not known. */
export function mediaTypeOf(name: string): string {
  const ending = /\.([^./]+)$/.exec(name)?.[1]
  const found = (ending !== undefined && contentType(`x.${ending}`)) || 'application/octet-stream'
  return texts.has(found) ? `${found}; charset=utf-8` : found
}
