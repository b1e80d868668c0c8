/**
 * Headers that every answer has, whatever it is: they restrict what a browser does with it. What a page may load is said where pages are
 * made (platform/pages/frame/document.ts), and what an uploaded file may do where files are served (answer/object.ts).
 */
import type { Config } from '../../config.ts'

/** One year. */
const HSTS_AGE = 365 * 24 * 60 * 60

/** Features of browsers that no page of the server uses. */
const FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'microphone',
  'midi',
  'payment',
  'usb',
]

const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  // A page of another site keeps no handle on a window of ours.
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': FEATURES.map(feature => `${feature}=()`).join(', '),
} as const

const withHsts = { ...common, 'strict-transport-security': `max-age=${HSTS_AGE}` }

/**
 * The headers by how the request came. HSTS is sent over https alone, by this server's knowledge: the external URL, or a trusted proxy.
 * Subdomains are not included: other servers may have them.
 */
export const securityHeaders = ({ externalUrl }: Pick<Config, 'externalUrl'>) => ({
  secure: withHsts,
  plain: externalUrl?.startsWith('https:') ? withHsts : common,
})
