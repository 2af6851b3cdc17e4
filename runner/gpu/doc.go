// Package gpu asks the driver about the cards of this machine, through NVML.
//
// The journey of a measurement:
//
//  1. [Open] loads the driver's library. Without cgo, without the library or without a
//     driver it returns an [*Unavailable] error that says which: nothing is ever reported
//     as zero because nobody could be asked.
//  2. [Driver.Cards] identifies each card once: name, UUID, architecture, compute
//     capability, PCIe link, power limit. What a card does not support is absent, with the
//     driver's own word for it.
//  3. [Start] samples every card on one locked thread: power, energy counter, clocks,
//     temperature, throttle reasons, memory, utilisation. It keeps how far the samples
//     really lay apart.
//  4. [Sampler.Mark] names moments of the run; energy between two marks is the integral of
//     power, and stands beside the difference of the card's own counter.
//  5. [Sampler.Stop] gives a [Recording]: series of bounded length for pages, raw samples
//     in the writer that was given, totals per stretch.
//
// A card that falls off the bus stays in the recording with the time and the reason; the
// others go on.
//
// Note: calling a function that the driver's library lacks ends the process, and old
// drivers lack some. Every function is looked up before it is called the first time.
package gpu
