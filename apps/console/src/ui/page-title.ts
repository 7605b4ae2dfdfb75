import { createContext } from 'react'

/** What follows the page's name in the browser's title: the name of the system. */
export const TitleSuffixContext = createContext('')
