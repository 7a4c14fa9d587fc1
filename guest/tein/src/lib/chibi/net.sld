;; Sockets. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi net)
  (export
    sockaddr? address-info? make-address-info get-address-info address-info-family
    address-info-socket-type address-info-protocol address-info-flags address-info-address
    address-info-address-length address-info-next socket connect bind accept listen
    open-socket-pair send send/non-blocking receive! receive!/non-blocking receive
    receive/non-blocking open-net-io with-net-io make-listener-socket get-socket-option
    set-socket-option! sockaddr-name sockaddr-port make-sockaddr shutdown get-peer-name)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/net"
      sockaddr? address-info? make-address-info get-address-info address-info-family
      address-info-socket-type address-info-protocol address-info-flags address-info-address
      address-info-address-length address-info-next socket connect bind accept listen
      open-socket-pair send send/non-blocking receive! receive!/non-blocking receive
      receive/non-blocking open-net-io with-net-io make-listener-socket get-socket-option
      set-socket-option! sockaddr-name sockaddr-port make-sockaddr shutdown get-peer-name)))
