import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { S3Address } from './address.ts'

/** A client of the service at this address. */
export const s3Client = ({ endpoint, region, credentials, pathStyle }: Omit<S3Address, 'bucket' | 'prefix'>): S3Client =>
  new S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    ...(credentials ? { credentials: { ...credentials, secretAccessKey: credentials.secretAccessKey.reveal() } } : {}),
    // Services other than Amazon's do not support checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // In milliseconds; the second is how long a connection may be silent.
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 },
  })

/** Is the object missing, and not the bucket? */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket'

/** What the service or the network said, in words. */
export const reasonOfS3 = (error: unknown): string =>
  error instanceof S3ServiceException ? `${error.name} ${error.$metadata.httpStatusCode}` : (error as Error).message
