import * as fc from 'fast-check'

/**
 * Time per property under `npm test -- --quick`: between commits, the first examples of long properties are enough. Even the
 * largest property must run one example in this time on a busy, cold machine, because a property without any fails.
 */
const LONGEST_MS = 400

fc.configureGlobal({ interruptAfterTimeLimit: LONGEST_MS })
