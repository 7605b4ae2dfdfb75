import { createContext } from 'react'

/** Label of the configuration file that owns the setting around; empty for none. */
export const OwnerContext = createContext('')
