// Tables on one device, without a server: how their codes can be told apart.

/** No server makes codes with this digit, and none takes them for one of its own. */
export const HERE = '0'

/** Whether a table lives on this device. */
export const isHere = (code: string): boolean => code.startsWith(HERE)
