// Package page holds one template per page. A page takes the surroundings
// ([view.Chrome]) and one view struct; it branches and nothing else: values come
// formatted, and no page computes.
package page
